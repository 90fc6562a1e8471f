#!/usr/bin/env bats
# look.bats - pictures in Chromium, as a reader sees them. Many more: tests/browser/all.bats, of make check-full.
bats_require_minimum_version 1.5.0
load ../helpers
load ../browser/look

# svg NAME MARKUP: a picture.
svg() {
	echo "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"200\" height=\"100\" style=\"background:#fff\"><title>t</title>$2</svg>" > "$1.svg"
}

@test "what is wrong with a picture or a page is seen" {
	needs_browser
	svg good '<text x="9" y="30">good</text>'
	svg outside '<text x="190" y="30">Outside</text>'
	svg turned '<g transform="translate(30,20)rotate(-90)"><text>Turned</text></g>'
	svg over '<text x="9" y="30">one</text><text x="20" y="33">two</text>'
	svg faint '<text x="9" y="30" fill="#888">Faint</text>'
	svg hidden '<path d="M0 0h99v99h-99z" fill="#123"/><text x="9" y="30" fill="#123">Hidden</text>'
	svg small '<text x="9" y="30" font-size="5">Small</text>'
	svg broken '<text'
	svg script '<script>1</script>'
	svg event '<text onclick="1"/>'
	svg asks '<style>@import "http://a.example/b";</style>'
	svg refers '<use href="http://a.example/b"/>'
	echo '<!doctype html><title>t</title><p style="width:900px">words' > wide.html
	run ! looked_at good.svg outside.svg turned.svg over.svg faint.svg hidden.svg small.svg broken.svg script.svg event.svg \
		asks.svg refers.svg
	for want in 'outside.svg light 1600: text leaves the picture: Outside' 'outside.svg dark' 'turned.*leaves the picture: Turned' \
		'over.*text over text: one [|] two' 'faint.*contrast 3.5: Faint' 'hidden.*contrast 1.0: Hidden' \
		'small.*pixels high: Small' 'broken.*the markup is broken' 'script.*a script' 'event.*<text onclick="1">' \
		'asks.* asks for http://a.example/b' 'refers.*<use href="http://a.example/b">'; do
		has "$output" "$want"
	done
	run ! grep -q '^good' <<< "$output"
	run ! looked_at -w '400 1000' wide.html
	has "$output" '^wide.html light 400: the page is 9[0-9]+ pixels wide'
	run ! grep -q 1000 <<< "$output"
}

@test "pictures of all kinds and formats, light and dark" {
	needs_browser
	pictures "$FIX"/{runs/solver.meta,runs/tasks,spc/Financial1-head.spc,charisma/cm5.chr,laplace/merged-head.ref}
	looked_at ./*.svg
}

@test "pages about a trace, on a telephone, a laptop and a wide screen" {
	needs_browser
	trace-report "$FIX/runs/solver.meta" > dumpi.html
	trace-report "$FIX/runs/tasks" > ovni.html
	trace-report "$FIX/charisma/cm5.chr" > charisma.html 2> err || [ $? = 2 ]
	trace-report "$FIX/spc/Financial1-head.spc" > spc.html
	trace-report "$FIX/laplace/merged-head.ref" > laplace.html 2> err || [ $? = 2 ]
	looked_at -w '400 1000 1600' ./*.html
}

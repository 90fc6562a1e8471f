# look.bash - looks at pictures and pages in headless Chromium, for tests that load helpers.bash too.
# shellcheck shell=bash disable=SC2154  # ROOT, FIX are of helpers.bash

# needs_browser: skips where there is no Chromium that can be started.
needs_browser() {
	CHROMIUM=$(command -v chromium || command -v chromium-browser) || skip 'no chromium'
	browse about:blank | grep -q '<html' || skip 'chromium does not start here'
}

# browse ADDRESS: the document when all of it is loaded, as markup. Without the sandbox, which root cannot have.
browse() {
	timeout 120 "$CHROMIUM" --headless --no-sandbox --disable-gpu --allow-file-access-from-files --hide-scrollbars \
		--host-resolver-rules='MAP * ~NOTFOUND' \
		--user-data-dir="$BATS_TEST_TMPDIR/chromium" --dump-dom "$1" 2> "$BATS_TEST_TMPDIR/chromium.err"
}

# looked_at [-w WIDTHS] FILE...: says what is wrong with the pictures and pages, light and dark, in windows each so many
# pixels wide. False if anything is, or one could not be seen.
looked_at() {
	local widths=1600 some status=0
	[ "$1" != -w ] || { widths=$2; shift 2; }
	# So many that a browser has them within its time.
	while [ $# -gt 0 ]; do
		some=("${@:1:20}")
		shift "${#some[@]}"
		look "${some[@]}" || status=1
	done
	return $status
}

look() {
	local f w scheme n=0 page=$BATS_TEST_TMPDIR/look.html seen=$BATS_TEST_TMPDIR/look.seen
	{
		echo '<!doctype html><meta charset="utf-8"><title>look</title><body>'
		for f; do
			for w in $widths; do
				for scheme in light dark; do
					echo "<iframe title=\"$f $scheme $w\" src=\"$(realpath "$f")\" style=\"width:${w}px;height:2400px;border:0;color-scheme:$scheme\"></iframe>"
					n=$((n + 1))
				done
			done
		done
		echo "<script src=\"$ROOT/tests/browser/look.js\"></script>"
	} > "$page"
	browse "file://$page" | sed 's/.*<pre>//; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' > "$seen"
	sed -n 's/^fault	//p' "$seen"
	[ "$(grep -c '^seen	' "$seen")" = "$n" ] || echo "only $(grep -c '^seen	' "$seen") of $n were seen"
	! grep -q '^fault	' "$seen" && [ "$(grep -c '^seen	' "$seen")" = "$n" ]
}

# pictures FILE...: of the size SIZE, if that is set, each kind of each of them as NAME.KIND.svg, where there is something to draw.
pictures() {
	local f k name got
	for f; do
		name=${f#"$FIX"/} name=${name#../}
		for k in rate heat timeline hist matrix addr flame; do
			got=0
			trace-plot "$k" ${SIZE:+--size "$SIZE"} "$f" > "${name//\//_}.$k.svg" 2> err || got=$?
			# Some fixtures are broken: then there is a picture of what was read, or none.
			[ "$got" = 0 ] || [ -s "${name//\//_}.$k.svg" ] || rm "${name//\//_}.$k.svg"
		done
	done
}

#!/usr/bin/env bats
# plot-paper.bats - pictures for a page: their size, letters, ticks and captions.
bats_require_minimum_version 1.5.0
load ../helpers

setup() {
	cd "$BATS_TEST_TMPDIR"
	SPC=$FIX/spc/Financial1-head.spc
}

# draw OPTION...: all kinds, as KIND.svg.
draw() {
	for k in rate heat hist addr; do trace-plot $k "$@" "$SPC" > $k.svg 2>> err; done
	for k in timeline matrix flame; do trace-plot $k "$@" "$FIX/runs/solver.meta" > $k.svg; done
	trace-plot timeline "$@" "$SPC" > points.svg
	trace-stats -w 100ms -a 'count,sum(size)' "$SPC" | trace-plot line "$@" > line.svg
}

@test "one column and two of a journal: the size asked for, three ticks an axis, no text upon another, no title" {
	needs python3
	for size in 84mmx55mm 178mmx90mm 3.3inx2.2in; do
		draw --size $size --font 8pt --no-title
		python3 "$ROOT/tests/oracle/paper.py" $size ./*.svg
	done
}

@test "the pictures of a page are those that were looked at" {
	for mm in 84 178; do
		trace-plot timeline --size ${mm}mmx60mm --font 8pt --no-title --theme light "$FIX/runs/solver.meta" |
			same - "$ROOT/tests/pictures/timeline$mm.svg"
		trace-plot rate --size ${mm}mmx60mm --font 8pt --no-title --theme light "$SPC" |
			same - "$ROOT/tests/pictures/rate$mm.svg"
	done
}

@test "--size and --font: units, the same picture in each; what is none" {
	trace-plot hist --size 254mmx127mm "$SPC" > mm.svg
	trace-plot hist --size 10inx5in "$SPC" > in.svg
	grep -q 'viewBox="0 0 960 480" width="254mm" height="127mm"' mm.svg
	sed '1s/width="254mm" height="127mm"/width="10in" height="5in"/' mm.svg | same - in.svg
	trace-plot hist --size 720x360 --font 9px "$SPC" | sed '1s/width="720" height="360"/width="10in" height="5in"/' | same - in.svg
	trace-plot hist --font 6pt "$SPC" | grep -q 'viewBox="0 0 960 560" width="640" height="373.33"'
	for bad in 84 84mm 84mmx 84mmx55in x55 0x55 84x55 9999mmx9999mm -1x5 84mmx55mmx 1e9x1 ''; do
		status_is 2 trace-plot hist --size="$bad" "$SPC"
	done
	for bad in 0 8 8em 3px 99pt -8pt 8ptx ''; do
		[ "$bad" = 8 ] || status_is 2 trace-plot hist --font="$bad" "$SPC"
	done
}

@test "--caption stands below, and takes its height from the picture; --no-title keeps what is read aloud" {
	for k in rate heat hist addr timeline; do
		trace-plot $k --size 600x300 --caption 'Figure 1 & <more>' "$SPC" > p.svg
		grep -q 'viewBox="0 0 600 300" width="600" height="300"' p.svg
		grep -q '<text x="24" y="288" class="s">Figure 1 &amp; &lt;more&gt;</text>' p.svg
		trace-plot $k --no-title "$SPC" > p.svg
		run ! grep -q 'class="[hs]"' p.svg
		grep -q '<title id="t">.' p.svg
		grep -q '<desc id="d">Financial1-head.spc · ' p.svg
	done
	status_is 2 trace-plot rate --no-title --title x "$SPC"
}

@test "a page of paper: the ground is white, and grey tells lines apart by their dashes" {
	needs rsvg-convert
	draw --size 84mmx55mm --font 8pt --no-title --theme light
	for f in *.svg; do
		rsvg-convert "$f" -f pdf -o p.pdf
		grep -aq '/MediaBox *\[ *0 0 238\.[0-9]* 155\.[0-9]*' p.pdf
	done
	for f in rate hist line; do
		[ "$(grep -o '<path class="\(w l\|l\)[0-9]' $f.svg | grep -o '.$' | sort -u | wc -l)" -ge 2 ]
		grep -q '\.l1{stroke-dasharray:' $f.svg
	done
}

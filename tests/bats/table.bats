#!/usr/bin/env bats
# table.bats - a table as lines with TABs, as CSV, as JSON.

load ../helpers

setup_file() {
	# shellcheck disable=SC2086  # CC may hold flags
	$CC -std=c11 -D_XOPEN_SOURCE=700 -g -I"$ROOT/common" -I"$ROOT/cmd/lib" -I"$ROOT/cmd" -o "$BATS_FILE_TMPDIR/table" \
		"$ROOT/tests/unit/table.c" "$ROOT/build/libcmd.a" "$ROOT/build/libspoor.a" -pthread
}

setup() {
	need_native
	enter
	PATH=$BATS_FILE_TMPDIR:$PATH
}

@test "every style of a small table, to the byte" {
	printf '%s\n' $'event\ttop(loc,5)\tp50(size)' $'R\t0:3,1:2\t512' $'"W\t-\t""' $'a\\x20b\t1e5\t007' > t
	table tabs < t | same - <(sed '1s/^/#/' t)
	table csv < t | same - <(printf '%s\n' 'event,"top(loc,5)",p50(size)' 'R,"0:3,1:2",512' '"""W",,""' \
		'a b,1e5,007')
	table lines 1 < t | same - <(printf '%s\n' '{"event": "R", "top(loc,5)": "0:3,1:2", "p50(size)": 512}' \
		'{"event": "\u0022W", "top(loc,5)": null, "p50(size)": ""}' \
		'{"event": "a b", "top(loc,5)": 1e5, "p50(size)": "007"}')
	table json 1 < t | same - <(table lines 1 < t | sed '1s/^/[\n/; $!s/$/,/; $s/$/\n]/' |
		sed 's/^{/  {/' | head -c -1)
}

@test "nothing, an empty text, no cells, no rows" {
	# Readers leave an empty line out: of one column, nothing is "" as well.
	printf '%s\n' a - '""' '' > t
	table csv < t | same - <(printf '%s\n' a '""' '""' '""')
	table lines < t | same - <(printf '{"a": %s}\n' null '""' '""')
	printf 'a\tb\n\t\n' > t
	table csv < t | same - <(printf '%s\n' a,b '"",""')
	echo a > t
	[ "$(table tabs < t)" = '#a' ]
	[ "$(table csv < t)" = a ]
	[ "$(table json < t)" = '[]' ]
	[ -z "$(table lines < t)" ]
}

@test "CSV and JSON read back by another reader: quotes, escapes, numbers, bytes that are no UTF-8, long cells" {
	command -v python3 > /dev/null || skip "no python3"
	cat > t.py <<'EOF'
import codecs, csv, io, json, random, re, subprocess, sys
random.seed(int(sys.argv[1]))
whole = [b'-', b'""', b'"', b'"""', b'--', b'', b'null', b'true', b'nan', b'inf', b'0x1f', b'+1', b'.5', b'5.', b'007', b'-01',
         b'0', b'-0', b'12', b'-1.50', b'1.000000000', b'1e5', b'1E-07', b'1e', b'1e+', b'18446744073709551615',
         b'x' * 70000, b'"' * 3000, b'\xff' * 2000, b'9' * 400]
part = [b'"', b',', b'\\', b'\\x20', b'\\x0a', b'\r', b'\x01', b'\x1f', b'\x7f', b' ', b'a', b'1', b'=', b"'", b'/', b'{', b':',
        'é'.encode(), '€'.encode(), '😀'.encode(), '\u2028'.encode(), b'\xc0\xaf', b'\xe0\x9f\xbf', b'\xed\xa0\x80',
        b'\xf0\x8f\xbf\xbf', b'\xf4\x90\x80\x80', b'\xf5\x80\x80\x80', b'\xe2\x82', b'\xf0\x9f\x98', b'\x80', b'\xff', b'\xc3']
def cell():
    if random.random() < .4:
        return random.choice(whole)
    return b''.join(random.choice(part) for _ in range(random.randint(1, 8)))
codecs.register_error('number', lambda e: (''.join(map(chr, e.object[e.start:e.end])), e.end))
def run(style, texts=0):
    return subprocess.run(['table', style, str(texts)], input=table, stdout=subprocess.PIPE, check=True).stdout
def raw(c):
    return re.sub(rb'\\x([0-9a-fA-F]{2})', lambda m: bytes([int(m[1], 16)]), c)
def value(c, text):
    if c == b'-':
        return None
    if c in (b'""', b''):
        return ''
    if not text and re.fullmatch(rb'-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?', c):
        return ('number', c.decode())
    return raw(c).decode('utf-8', 'number')
number = lambda s: ('number', s)
for columns in (1, 2, 7):
    names = [b'%d,"n\xe2\x82\xac' % i for i in range(columns)]
    rows = [[cell() for _ in range(columns)] for _ in range(400)]
    table = b''.join(b'\t'.join(r) + b'\n' for r in [names] + rows)
    assert run('tabs') == b'#' + table
    got = list(csv.reader(io.StringIO(run('csv').decode('latin-1'), newline=''), strict=True))
    want = [[raw(c).decode('latin-1') if c not in (b'-', b'""') else '' for c in r] for r in rows]
    want.insert(0, [n.decode('latin-1') for n in names])
    assert got == want, next((g, w) for g, w in zip(got, want) if g != w)
    texts = random.randint(0, columns)
    for style in ('json', 'lines'):
        text = run(style, texts).decode('utf-8', 'strict')
        load = lambda s: json.loads(s, parse_int=number, parse_float=number)
        got = load(text) if style == 'json' else [load(l) for l in text.split('\n')[:-1]]
        assert len(got) == len(rows)
        for g, r in zip(got, rows):
            w = {n.decode(): value(c, i < texts) for i, (n, c) in enumerate(zip(names, r))}
            assert g == w and list(g) == list(w), (g, w)
EOF
	for seed in 1 2 3; do
		python3 t.py $seed
	done
}

#!/usr/bin/env bats
# export-tables.bats - parquet and arrow: every cell is that of csv, as readers read it that others wrote.

load ../helpers
bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	export TABLES=$ROOT/build/tables/node_modules
}

readers() {
	command -v node > /dev/null || skip "no node"
	[ -d "$TABLES/hyparquet" ] || skip "no readers of Parquet and Arrow: tests/tables/install.sh installs them"
}

# cells N ARGUMENT...: both forms have N cells, each of which all four readers find as csv has it.
cells() {
	local n=$1
	shift
	trace-export -T csv "$@" > x.csv
	trace-export -T parquet "$@" > x.parquet
	trace-export -T arrow "$@" > x.arrow
	node "$ROOT/tests/tables/cells.js" x.csv x.parquet x.arrow > said
	printf '%s\n' "apache-arrow $n" "parquet-wasm $n" "hyparquet $n" "DuckDB $n" | same - said
}

# asked SQL: what DuckDB says, with TABs between.
asked() {
	node -e 'const { DuckDBInstance } = require(process.env.TABLES + "/@duckdb/node-api")
		DuckDBInstance.create(":memory:").then(async db => {
			const answer = await (await db.connect()).runAndReadAll(process.argv[1])
			for (const row of answer.getRowsJson()) console.log(row.join("\t"))
		}).catch(e => { console.error(String(e)); process.exit(1) })' "$1"
}

# Every kind of value: both ends of numbers, NaN, lists, bytes that are not UTF-8, names with signs, what is empty or absent.
odd() {
	printf '%s\n' '##spoor	1' '##clock	s	origin=1700000000.000000007' '##loc	host/rank' \
		'-1.500000000	0/1	R	-	-	-' \
		'0.000000000	-	a\x20b\xff\xc3\xa9	18446744073709551615	0	0.000000001	x=5	l=1,2,3	r=0.5	n=nan	big=18446744073709551615	s=	d=0.000000500	t=abc	c=a\x2cb' \
		'0.250000000	1/1	w	0x1f	4096	-	x=-5	l=	r=7	n=1e300	big=1	s=""	d=1.000000000	t=5	q="	z=-0	m=0x10	nul=\x00	nan0=nan\x00' \
		'9223372035.000000000	n/a	W\x22,	9223372036854775807	18446744073709551615	9223372036.854775807	x=1	addr=7	arg.addr=9	r=0.1	n=inf	v=007	w=-9223372036854775808	e=1e5	f=123456789012345678	y=-inf	d=5	"a=b	g=0.12345678901234567890' \
		'##end	events=4'
}

@test "every cell of every format" {
	readers
	for f in spc/Financial1-head.spc laplace/merged-head.ref laplace/seed.kern charisma/cm5.chr runs/solver.meta runs/tasks \
		dumpi/every-call-0000.bin ovni/all.obs; do
		trace-export -T csv "$FIX/$f" > cells.csv 2> err || true
		trace-export -T csv "$FIX/$f" > x.csv 2> err || [ $? = 2 ]
		trace-export -T parquet "$FIX/$f" > x.parquet 2> err || [ $? = 2 ]
		trace-export -T arrow "$FIX/$f" > x.arrow 2> err || [ $? = 2 ]
		node "$ROOT/tests/tables/cells.js" x.csv x.parquet x.arrow > said
		[ "$(cut -d' ' -f2 said | sort -u | grep -c '^[1-9]')" = 1 ]
		[ "$(wc -l < said)" = 4 ]
	done
}

@test "odd values: as text and as binary; times of day; computed values" {
	readers
	odd > odd.txt
	trace-filter -b '*' odd.txt > odd.b
	columns=$(trace-export -T csv odd.txt | head -n 1 | tr , '\n' | wc -l)
	[ "$columns" = 29 ]
	cells $((4 * columns)) odd.txt
	cells $((4 * columns)) odd.b
	cells 60 -A -e 'time < 100' odd.b
	cells 48 -F 'loc1,rank,x,size,half=size / 2,who=part(loc,"/",1),prev=time - prev.time,l,r,end,kb=size // 1024,n' odd.b
}

@test "no events; an event that has nothing; a field that none has" {
	readers
	printf '##spoor\t1\n##end\tevents=0\n' > none
	cells 0 none
	printf '0.000000000\t-\te\t-\t-\t-\n' > absent
	cells 6 absent
	for t in csv parquet arrow; do
		status_is 2 sh -c "trace-export -T $t -F addr,nosuch,loc absent > x.$t"
	done
	node "$ROOT/tests/tables/cells.js" x.csv x.parquet x.arrow | grep -qx 'DuckDB 3'
}

@test "more names than a dictionary takes, several groups: DuckDB counts what is there" {
	readers
	awk 'BEGIN { for (i = 0; i < 300000; i++) printf "%.0f.%09d\tp%.0f\tR\t%.0f\t-\t-\tname=n%.0f\n", i / 1000, i % 1000 * 1000000, i % 7, i, i < 140000 ? i % 70000 : i % 9 }' > many
	cells 600000 -F name,size many
	cells 2100000 many
	asked "select row_group_num_rows, encodings, stats_null_count from parquet_metadata('x.parquet') where path_in_schema = 'name' order by row_group_id" > got
	awk -F'\t' '$1 > 131072 || $3 != 0 { exit 1 }' got
	[ "$(wc -l < got)" -ge 3 ]
	trace-export -T parquet -F name many > x.parquet
	asked "select encodings from parquet_metadata('x.parquet') order by row_group_id" | sort | uniq -c | grep -q 'RLE$\|RLE, PLAIN\|PLAIN, RLE'
	[ "$(asked "select count(distinct name), count(*) from 'x.parquet'")" = "70000	300000" ]
}

@test "sums, least and greatest values are those of trace-stats" {
	readers
	trace-export -T parquet "$FIX/runs/solver.meta" > x.parquet
	asked "select event, count(*), coalesce(sum(dur), 0), coalesce(sum(size), 0) from 'x.parquet' group by 1 order by 1" > got
	trace-stats -g event -a 'count,sum(dur),sum(size)' "$FIX/runs/solver.meta" |
		awk -F'\t' -v OFS='\t' 'NR > 1 { sub(/[.]/, "", $3); sub(/^0+/, "", $3); print $1, $2, $3 == "" ? 0 : $3, $4 == "-" ? 0 : $4 }' | LC_ALL=C sort > want
	[ "$(wc -l < want)" -ge 5 ]
	LC_ALL=C sort got | same want -
	asked "select path_in_schema, stats_min_value, stats_max_value, stats_null_count from parquet_metadata('x.parquet') where path_in_schema in ('time', 'size', 'event', 'dur', 'count') order by 1" > got
	asked "select * from (select 'count', min(count)::varchar, max(count)::varchar, count(*) - count(count) from 'x.parquet'
		union all select 'dur', min(dur)::varchar, max(dur)::varchar, count(*) - count(dur) from 'x.parquet'
		union all select 'event', min(event), max(event), 0 from 'x.parquet'
		union all select 'size', min(size)::varchar, max(size)::varchar, count(*) - count(size) from 'x.parquet'
		union all select 'time', min(time)::varchar, max(time)::varchar, 0 from 'x.parquet') order by 1" > want
	same want got
}

@test "metadata: format, clock, origin, units, version; of inputs that differ only the last two" {
	readers
	trace-export -T parquet "$FIX/spc/Financial1-head.spc" > x.parquet
	asked "select decode(key), decode(value) from parquet_kv_metadata('x.parquet')" > got
	printf '%s\n' 'spoor.format	spc' 'spoor.clock	ns' 'spoor.origin	0' 'spoor.addr_unit	512' 'spoor.units	time=ns,size=bytes,dur=ns' \
		"spoor.version	$(trace-export --version | cut -d' ' -f 3)" | same - got
	trace-export -T parquet "$FIX/spc/Financial1-head.spc" "$FIX/runs/solver.meta" > x.parquet
	asked "select decode(key) from parquet_kv_metadata('x.parquet')" | tr '\n' ' ' | grep -qx 'spoor.units spoor.version '
}

@test "a file that was cut off is refused; of a broken input -o keeps nothing" {
	readers
	trace-export -T parquet "$FIX/spc/Financial1-head.spc" > x.parquet
	for at in 0 4 100 "$(($(wc -c < x.parquet) - 1))"; do
		head -c "$at" x.parquet > cut.parquet
		status_is 1 asked "select * from 'cut.parquet'"
	done
	{ cat "$FIX/spc/Financial1-head.spc"; echo 1,x,512,r,9.0; } > bad.spc
	for t in parquet arrow; do
		status_is 2 trace-export -T $t -o bad.$t bad.spc
		[ ! -e bad.$t ]
	done
}

@test "one reading, of a pipe, where columns have types of their own" {
	for t in parquet arrow; do
		trace-export -T $t -F time,loc,event,addr,size,dur "$FIX/spc/Financial1-head.spc" > want
		trace-export -T $t "$FIX/spc/Financial1-head.spc" | cmp - want
		spc-cat -b "$FIX/spc/Financial1-head.spc" | trace-export -T $t -F time,loc,event,addr,size,dur | cmp - want
	done
}

@test "inputs whose clocks differ have no type of time together: said, status 2" {
	printf '1.000000000\ta\te\t-\t-\t-\n' > seconds
	printf '100\ta\te\t-\t-\t-\n' > ticks
	for t in parquet arrow; do
		status_is 2 trace-export -T $t -F time -o x seconds ticks
		[[ $stderr = *"1 values are left out"* ]]
	done
}

#!/usr/bin/env bats
# ovni-cpu.bats - -O cpu: states are cut where a thread moves to another CPU.

load ../helpers

setup() {
	enter
}

@test "a state of 7 ns with a move after 4 is 4 ns on one CPU, and 3 on the other" {
	{
		printf '##spoor\t1\n##format\tovni\n##clock\ts\torigin=0.000000000\n##loc\tloom/pid/tid\n'
		printf '0.00000000%s\tnode/1/1\t%s\t-\t-\t-%b\n' 0 OHx '\tcpu=0\ttid=-1\ttag=0' 1 VAs '' 5 OAs '\tcpu=1' 8 VAS '' 9 OHe ''
		printf '##end\tevents=5\n'
	} > in
	trace-convert -T ovni -o t in
	trace-stats -O cpu -e VAs -g cpu -a 'count,sum(dur)' t > got
	printf '#cpu\tcount\tsum(dur)\n0\t1\t0.000000004\n1\t1\t0.000000003\n' | same got -
	# Without the option, and in native records, the state is whole.
	[ "$(trace-filter -O durations -F dur VAs t)" = 0.000000007 ]
	trace-filter -n -O cpu 'event?' t > native
	trace-filter -n -O durations 'event?' t | same native -
	ovni-dump --cpu -t t > dump
	trace-filter -t -O cpu 'event?' t | same dump -
}

@test "sums by CPU are those of a sweep in Python, for random programs" {
	for seed in $(seq 1 ${SPOOR_FULL:+5}60); do
		python3 "$ROOT/tests/oracle/ovni_cpu.py" make "$seed" > in
		rm -rf t
		trace-convert -T ovni -o t in
		trace-stats --no-header -O cpu -e 'VA*' -g cpu,event -a 'sum(dur),sum(self),sum(running)' t | grep -v '	0.000000000	0.000000000	' > got || true
		python3 "$ROOT/tests/oracle/ovni_cpu.py" sums in | same - got || { echo "seed $seed"; return 1; }
	done
}

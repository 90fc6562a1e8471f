#!/usr/bin/env bats
# report-questions.bats - each section of the report is the answer to the question that --questions prints.
load ../helpers

setup() {
	enter
}

@test "random traces of each format: the commands of --questions end with 0 and give the numbers of the report" {
	command -v python3 > /dev/null || skip 'no python3'
	status_is 0 python3 "$ROOT/tests/oracle/report_questions.py" 1 4
	[ "$output" -gt 2000 ]
}

@test "a field of a condition that no event has is reported, also by threads and of merged parts" {
	awk 'BEGIN { for (i = 0; i < 400; i++) printf "%d.0\tl\te\t-\t%d\t-\tk=1\n", i, i }' > t
	for a in 'n = count(if(sizee > 4, 1))' 'n = sum(if(kk = 1, size)), m = count(if(kk = 1, 1))'; do
		status_is 2 trace-stats -a "$a" t
		[ "$(grep -c 'no event had a field' <<<"$stderr")" = 1 ]
		status_is 2 trace-stats --tune worth=64 -j 3 -a "$a" t
		[ "$(grep -c 'no event had a field' <<<"$stderr")" = 1 ]
		for k in 1 2; do trace-stats -p --chunk $k/2 -a "$a" -o p.$k t; done
		status_is 2 trace-stats -m p.1 p.2
		has "$stderr" 'no event had a field'
	done
	status_is 0 trace-stats --tune worth=64 -j 3 -a 'n = count(if(k = 1, 1))' t
	# An argument that a format has is not missing from a trace without it; a name that it does not have is.
	printf '##spoor\t1\n##format\tdumpi\n##clock\ts\torigin=0\n##loc\trank\n0.0\t1\tMPI_Send\t-\t8\t-\n##end\tevents=1\n' > d
	status_is 0 trace-stats -a 'sum(recv_bytes)' d
	status_is 2 trace-stats -a 'sum(recv_byte)' d
	status_is 2 trace-stats -a 'sum(recv_bytes)' t
}

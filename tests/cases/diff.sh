# shellcheck shell=sh disable=SC2016  # $FIX is the driver's
# diff.sh - trace-diff: rows that differ between a trace and standard input, thresholds, the first event.
in='1.0\ta\tx\t-\t8\t-\n2.0\tb\ty\t-\t100\t-\n3.0\tb\ty\t-\t3\t-\n'
old='printf "1.0\\ta\\tx\\t-\\t8\\t-\\n2.0\\tb\\ty\\t-\\t95\\t-\\n3.0\\tb\\tz\\t-\\t3\\t-\\n" > old; trace-diff'
try 'rows that differ, the greatest change first' "$old -g event -a 'sum(size)' old" \
	'#event\tsum(size)\tsum(size).new\tchange\tratio\ny\t95\t103\t8\t1.08421\nz\t3\t-\t-\t-' '' 1 "$in"
try '--ratio is reached in either direction' "$old -g loc -a 'sum(size)' --ratio 1.05 old" '#loc\tsum(size)\tsum(size).new\tchange\tratio\nb\t98\t103\t5\t1.05102' '' 1 "$in"
try '--ratio is not reached' "$old -g loc -a 'sum(size)' --ratio 1.06 old" '#loc\tsum(size)\tsum(size).new\tchange\tratio' '' 0 "$in"
try '--min is a change' "$old -g event -a 'sum(size)' --min 4 --head 1 --csv old" 'event,sum(size),sum(size).new,change,ratio\ny,95,103,8,1.08421' '' 1 "$in"
try 'the first event that differs' "$old --first old | cut -f 1-7" \
	'#in\trecord\trecord.new\ttime\tloc\tevent\taddr\nold\t2\t-\t2.000000000\tb\ty\t-\nnew\t-\t2\t2.000000000\tb\ty\t-' '' 0 "$in"
try '--ignore, and three events of context at most' "$old --first --ignore size old | cut -f 1-3,6" \
	'#in\trecord\trecord.new\tevent\nboth\t2\t2\ty\nold\t3\t-\tz\nnew\t-\t3\ty' '' 0 "$in"

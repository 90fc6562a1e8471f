# shellcheck shell=sh disable=SC2016  # $FIX is the driver's
# plot.sh - trace-plot: what titles count, names, and partials of expressions.
printf '1.0\ta\tx\t-\t-\t2.0\n1.0\tb\ty\t-\t-\t-\n1.0\tc\ty\t-\t-\t0\n' > one-lasts
try 'flame: names of -y are no stacks, also those that have none' 'trace-plot flame -y loc --terminal --columns 80 one-lasts | head -1' \
	'Where the time goes, stack by stack: 100 % in x: 2 s in 1 stack' '*: 1 event* without a duration is left out\n*: 1 event* last* no time is left out'
try 'timeline: locations where nothing lasts are not counted' 'trace-plot timeline --terminal --columns 80 one-lasts | head -1' \
	'Where 1 location spends its time: 100 % in x' '*: 1 event* without a duration is left out\n*: 1 event* last* no time is left out'
printf '1\ta\tx\t-\t-\t-\n1\tb\ty\t-\t-\t-\n1\tc\ty\t-\t-\t0\n' > none-lasts
try 'timeline of moments: the same' 'trace-plot timeline --terminal --columns 80 none-lasts | head -1' 'How many events 2 locations have, over time' '*: 1 event* last* no time is left out'
try 'the partial of an expression keeps its unit' 'trace-plot heat -y "time - prev.time" --bins $FIX/dumpi/small-0002.bin > want 2>&-
	trace-plot heat -y "time - prev.time" -p $FIX/dumpi/small-0002.bin | trace-plot heat -m --bins 2>&- | cmp - want'
printf '1\ta\bb\tR\t-\t8\t-\n' > control
try 'control bytes of names are escaped, as trace-stats does' 'trace-stats -g loc,event control; trace-plot matrix --bins control; trace-plot matrix -p control | trace-plot matrix -m --bins' \
	'#loc\tevent\tcount\na\\x08b\tR\t1\n#loc\tevent\tcount\na\\x08b\tR\t1\n#loc\tevent\tcount\na\\x08b\tR\t1'

# shellcheck shell=sh disable=SC2016  # $FIX is the driver's
# advise.sh - trace-advise: a finding, its command, its status.
try 'a finding: where, how bad, what, which rule; then its command; status 1' 'trace-advise --threshold spc-unit.least=100 --ignore "*-[!u]*" Financial1.spc' \
	"Financial1.spc: warning: ASU 0 has 4.44 times the mean of 11 units: 192512 bytes, the mean is 43334 [spc-unit]\n    trace-stats -e 'R or W' -g asu -a 'n = all(count), bytes = sum(size), groups = all(1), mean = all(bytes) / groups, times = bytes / mean' --having 'groups > 1' -S -times --head 1 Financial1.spc" \
	'' 1
try 'the command gives the numbers' 'trace-advise --threshold spc-unit.least=100 --ignore "*-[!u]*" Financial1.spc | sed 1d | sh' \
	'#asu\tn\tbytes\tgroups\tmean\ttimes\n0\t161\t192512\t11\t43333.818181818184\t4.442534908700322'
try 'below the least number of events nothing is found' 'trace-advise --ignore io-burst Financial1.spc' ''
try 'notes do not count for the status, unless they are asked to' 'trace-advise --threshold spc-small.least=100 --ignore "io-*" Financial1.spc | cut -c 1-66' \
	"Financial1.spc: note: 156 of 161 requests (97 %) are smaller than \n    trace-stats -e 'R or W' -a 'n = count(addr), small = count(if("
try 'notes that count' 'trace-advise --severity note --threshold spc-small.least=100 --ignore "io-*" Financial1.spc > x' '' '' 1
try 'a size is an option' 'trace-advise --threshold spc-small.least=100 --threshold spc-small.size=600 --ignore "io-*" Financial1.spc' ''
try 'no events, nothing to judge' 'trace-advise' ''
try 'only the worst' 'trace-advise --head 1 --csv solver.meta tasks | cut -d , -f 1-3' 'file,severity,rule\nsolver.meta,warning,mpi-late-sender'
try 'a wrong threshold' 'trace-advise --threshold mpi-balance=much solver.meta' '' 'trace-advise: *' 2

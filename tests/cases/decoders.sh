# shellcheck shell=sh disable=SC2016  # $FIX is the driver's
# decoders.sh - dumpi2txt, charisma-dump and ovni-dump: options, and what is refused.
try '--rank is of one file, not of a job' 'dumpi2txt --rank 7 solver.meta' '' 'dumpi2txt: rank is for one file' 2
try '--rank is of one file, not of two' 'dumpi2txt --rank 7 solver-0000.bin solver-0001.bin' '' 'dumpi2txt: rank is for one file' 2
try '-O rank is of one file, not of a job' 'trace-stats -O rank=3 -a count solver.meta' '' 'trace-stats: rank is for one file' 2
try '-O rank is of one file, not of two' 'trace-stats -O rank=3 -a count solver-0000.bin solver-0001.bin' '' 'trace-stats: rank is for one file' 2
try 'a preset that is none' 'charisma-dump --preset vax trace.chr' '' \
	'charisma-dump: --preset: vax: expected one of ipsc860, ilp32-le-a8, ilp32-le-a4, cm5, ilp32-be-esize, ilp32-be-esize-lowfirst, lp64-le, lp64-be, packed-ilp32-le, packed-ilp32-be, packed-lp64-le, packed-lp64-be' 2
try 'a preset that is named twice' 'charisma-dump --preset cm5 --preset cm5 trace.chr' '' 'charisma-dump: --preset: only one layout can be chosen' 2
try 'there are 12 presets' "charisma-dump --preset list | wc -l | tr -d ' '" '12'
try '-M and --dump-layout contradict each other' 'charisma-dump -M --dump-layout trace.chr' '' \
	'charisma-dump: -M and --dump-layout contradict each other (try charisma-dump --help)' 2
try '-M and -b contradict each other' 'charisma-dump -M -b trace.chr' '' 'charisma-dump: -M and -b contradict each other (try charisma-dump --help)' 2
try '--dump-layout of a trace is that of its preset' 'charisma-dump --preset cm5 --dump-layout > want; charisma-dump --dump-layout trace.chr 2>/dev/null | cmp - want'
try 'a trace that is compressed, and no program for it' 'PATH=${PATH%%:*} charisma-dump' '' 'charisma-dump: <stdin>: offset 0: this is compressed by gzip: zcat FILE | ...' 2 \
	'\0037\0213\0010\0000\0000\0000\0000\0000\0000\0003'

# The descriptions' dumps of ovni events, byte for byte: flags, clocks, payloads.
try 'an event without a header' 'ovni-dump -A' '5295892.744619265\t-\tOHe\t-\t-\t-' '' 0 '\0000OHe\0001\0305\0317\0035\0226\0320\0022\0000'
try 'an event with a payload' 'ovni-dump -A' '4859384.881529176\t-\tOHx\t-\t-\t-\tcpu=0\ttid=-1\ttag=0' '' 0 \
	'\0017OHxX\0301\0260\0265\0225C\0021\0000\0000\0000\0000\0000\0377\0377\0377\0377\0000\0000\0000\0000\0000\0000\0000\0000'
printf '\023VYc\353\301K\032\226\320\022\000\016\000\000\000\001\000\000\000testtype1\000' > label
try 'an event with jumbo data' 'ovni-dump -A label' '5295892.685636075\t-\tVYc\t-\t14\t-\ttypeid=1\tlabel=testtype1'
try 'its number is a field' "trace-filter -c 'typeid = 1' < label" '1'
try 'its event is a name' "trace-filter -c 'event = VYc' label" '1'
# What stands behind the value of a JSON file, also a zero byte.
try 'a byte behind the metadata' 'cp -r $FIX/runs/tasks t; printf "\\0" >> t/loom.node0/proc.100/thread.100/stream.json; ovni-dump t > out' '' 'ovni-dump: t/loom.node0/proc.100/thread.100/stream.json: offset 247: not JSON: something follows the value' 2

# shellcheck shell=sh disable=SC2016,SC2154  # $FIX is the driver's
# laplace-merge.sh - references and kernel events put together: order, pages, processes.
R=$FIX/laplace/merged-head.ref K=$FIX/laplace/merged-head.kern
try 'all records in order of time, references first at equal times, the end last' "laplace-merge $R $K | cut -d' ' -f1,2 | sed -n '13,15p;\$p'" \
	'X 1000000000\ni 1000000001\ni 1000000002\nc------'
try 'that is what sort makes of both' "{ laplace-bin2txt $R; grep -v ^c $K; } | sort -s -k2,2 > want; laplace-merge $R $K | grep -v ^c | cmp - want"
printf 'r 5 4 a 1000\nr 6 4 a 1000\nr 9 4 a 1000\n' > a.reftxt
printf 's 5 1\ns 6 2\ns 7 3\nc -\n' > a.kern
try 'at equal times references come first' 'laplace-merge a.reftxt a.kern' 'r 5 4 a 1000\ns 5 1\nr 6 4 a 1000\ns 6 2\ns 7 3\nr 9 4 a 1000\nc -'
try '--kernel-first: or kernel events' 'laplace-merge --kernel-first a.reftxt a.kern' 's 5 1\nr 5 4 a 1000\ns 6 2\nr 6 4 a 1000\ns 7 3\nr 9 4 a 1000\nc -'
try 'either may be standard input' "laplace-merge - a.kern < a.reftxt | tail -n 2; laplace-merge a.reftxt < a.kern | head -n 1" 'r 9 4 a 1000\nc -\nr 5 4 a 1000'
try 'but not both' 'laplace-merge - -' '' 'laplace-merge: only one input can be standard input (try laplace-merge --help)' 2
try 'nor the kernel trace by default' 'laplace-merge -' '' 'laplace-merge: only one input can be standard input (try laplace-merge --help)' 2
try 'references are needed' 'laplace-merge' '' 'laplace-merge: an operand is missing: REFS (try laplace-merge --help)' 2
try 'references are written canonically, kernel lines as they stood' 'printf "r 0007 04 A 1000\n" > b; laplace-merge b' 's 06 0A\nr 7 4 a 1000\nc  -' '' 0 's 06 0A\nc  -\n'
try 'a clock that goes back keeps the order of the file, and is said once' 'laplace-merge - a.kern' 'r 5 4 a 1000\ns 5 1\ns 6 2\nr 7 4 a 1000\nr 4 4 a 1000\nr 3 4 a 1000\ns 7 3\nc -' \
	'laplace-merge: <stdin>:3: the clock goes back here (said once)' 2 'r 5 4 a 1000\nr 7 4 a 1000\nr 4 4 a 1000\nr 3 4 a 1000\n'
try 'a kernel trace without its end: all that is there, and status 2' 'laplace-merge a.reftxt' 's 1 1\nr 5 4 a 1000\nr 6 4 a 1000\nr 9 4 a 1000' \
	'laplace-merge: <stdin>: the kernel trace was cut off: it does not end with a line c' 2 's 1 1\n'
try 'an empty one' 'laplace-merge --pages a.reftxt' 'R 0\nR 0\nR 0' \
	'laplace-merge: <stdin>: the kernel trace is empty: it does not end with a line c\nlaplace-merge: 3 references lie outside of all regions' 2
try 'several kernel traces' 'printf "s 8 4\nc--\n" | laplace-merge a.reftxt a.kern - 2>&1 | tail -n 4' 'c -\ns 8 4\nr 9 4 a 1000\nc--'
try 'references among the events of the kernel are skipped' 'laplace-merge a.reftxt' 'r 5 4 a 1000\nr 6 4 a 1000\ns 8 1\nr 9 4 a 1000\nc' \
	'laplace-merge: <stdin>: skipped memory references among the events of the kernel: 1' 2 'r 6 4 a 1000\ns 8 1\nc\n'
head -c 3595 "$R" > torn.ref
try 'a torn reference: all that is whole, and status 2' "laplace-merge torn.ref $K | wc -l | tr -d ' '; laplace-merge torn.ref $K > out" '213' \
	'laplace-merge: torn.ref: offset 3582: *\nlaplace-merge: torn.ref: 1 record skipped\nlaplace-merge: torn.ref: offset 3582: *\nlaplace-merge: torn.ref: 1 record skipped' 2
try 'big-endian references, and text' "laplace-bin2txt $R > t; laplace-bin2txt -r --order big t > b; laplace-merge --pages $R $K > want
	laplace-merge --pages t $K | cmp - want; laplace-merge --pages b $K | cmp - want; laplace-merge --pages --order big b $K | cmp - want"
try '--pages: type in upper case, page in hex' "laplace-merge --pages $R $K | sort | uniq -c | sed 's/^ *//'" '4 I 0\n149 I 2\n2 I 3\n2 R 1\n15 R 4\n1 R 5\n8 W 1\n2 W 4\n17 W 5'
try '--table: the pages of the worked example' "laplace-merge --pages --table t.tsv $R $K > out; head -n 3 t.tsv" \
	'0\tfile\tfe:0:aa6dcc:1b\t68719476737\tld-linux.so.2\n1\tanon\t1015a:fee97\t68719476739\t-\n2\tfile\tfe:0:aa6dcc:1c\t68719476741\tld-linux.so.2'
try 'as events: process and space, page, file, region' "laplace-merge -t $R $K | grep -n -e '	[iw]	' | sed -n '1p;4p'" \
	'14:68719476737\t257/0x1015a\ti\t0x401b5c0\t2\t-\tpage=0\tfile=ld-linux.so.2\tregion=file\n17:68719476739\t257/0x1015a\tw\t0xfee97890\t4\t-\tpage=1\tregion=anon'
try 'the three forms of events agree' "laplace-merge -t $R $K > t; laplace-merge -b $R $K | trace-filter -t 'event?' | cmp - t; laplace-merge -H $R $K | grep -v '^#' | cmp - t"
try 'the header' "laplace-merge -H $R $K | head -n 5" '##spoor\t1\n##format\tlaplace-merge\n##clock\tticks\n##loc\tpid/space\n#time\tloc\tevent\taddr\tsize\tdur\targs'
try '--hz counts from the first record' 'laplace-merge --hz 2 a.reftxt a.kern | cut -f1,3' '0.000000000\tr\n0.000000000\tschedule\n0.500000000\tr\n0.500000000\tschedule\n1.000000000\tschedule\n2.000000000\tr\n2.000000000\tend' '*: 3 references lie outside of all regions'

# Pages: one case for each rule. "pages KERNEL LINES" would be a loop: so a reference a line, by time.
refs() { # TIME SPACE ADDR...
	while [ $# -gt 0 ]; do printf 'r %s 4 %s %s\n' "$1" "$2" "$3"; shift 3; done > refs
}
refs 2 a 5000 2 a 6000 4 a 5000 6 b 5000 6 b 6000 6 b 7000
printf 'A 1 1 a\nm 1 1 5000 3000\nA 5 2 b\nD 5 a b 5000 7000\nm 5 2 7000 1000\nc\n' > fork
try 'D: what was duplicated has the same numbers' 'laplace-merge --pages refs fork' 'R 0\nR 1\nR 0\nR 0\nR 1\nR 2'
refs 2 a 5000 4 a 5000 4 b 5000 6 a 5000 6 b 5000
printf 'A 1 1 a\nA 1 2 b\nm 1 1 5000 1000\nD 3 a b 5000 6000\nC 5 2 5abc\nc\n' > cow
try 'C: the copy has a number of its own, the other keeps it' 'laplace-merge --pages --table t refs cow; cat t' 'R 0\nR 0\nR 0\nR 0\nR 1\n0\tanon\ta:5\t2\t-\n1\tanon\tb:5\t5\t-'
refs 4 a 5000 4 b 5000 4 b 6000 4 a 6000
try 'a page that was first touched behind D is not shared' 'laplace-merge --pages refs fork' 'R 0\nR 1\nR 2\nR 3' '*' 0
refs 2 a 2000000 6 b 2000000 6 b 2040000 7 a 2040000 7 a 2000000
printf 'A 1 1 a\nm 1 1 2000000 2000000\nA 5 2 b\nD 5 a b 2000000 4000000\nc\n' > far
try 'nor is one beside it where all 32 MiB were duplicated' 'laplace-merge --pages refs far' 'R 0\nR 0\nR 1\nR 2\nR 0'
refs 2 a 5000 4 b 9000 6 a 5000
printf 'A 1 1 a\nA 1 2 b\nM 1 1 5000 2000 77 8 1 3000 libc.so\nM 1 2 8000 2000 77 8 1 2000 libc.so\nU 5 1 5000 1000\nM 5 1 5000 1000 77 8 1 3000 other\nc\n' > file
try 'a page of a file has one number in all spaces and places' 'laplace-merge --pages --table t refs file; cat t' 'R 0\nR 0\nR 0\n0\tfile\t8:1:77:3\t2\tlibc.so'
refs 2 a 5000 2 b 9000 4 b 8000
printf 'A 1 1 a\nA 1 2 b\nS 1 1 5000 2000 cafe\nS 1 2 8000 2000 cafe\nc\n' > shm
try 'so has one of shared memory' 'laplace-merge --pages --table t refs shm; cat t' 'R 0\nR 1\nR 0\n0\tshm\tcafe:0\t2\t-\n1\tshm\tcafe:1\t2\t-'
refs 2 a 5000 2 a 6000 2 a 7000 4 a 5000 4 a 6000 4 a 7000
printf 'A 1 1 a\nm 1 1 5000 3000\nU 3 1 6000 1\nm 3 1 6000 1000\nc\n' > hole
try 'an anonymous page that was unmapped has a new number, those beside it keep theirs' 'laplace-merge --pages refs hole' 'R 0\nR 1\nR 2\nR 0\nR 3\nR 2'
printf 'A 1 1 a\nM 1 1 5000 3000 1 8 0 1000 f\nM 3 1 6000 1000 2 8 0 0 g\nc\n' > over
try 'what is mapped over a file: the right part of the file keeps its offset' 'laplace-merge --pages --table t refs over; cut -f3 t' 'R 0\nR 1\nR 2\nR 0\nR 3\nR 2\n8:0:1:1\n8:0:1:2\n8:0:1:3\n8:0:2:0'
refs 2 a 5000 4 a 5000 6 a 5000
printf 'A 1 1 a\nm 1 1 5000 1000\nu 3 a\nm 5 1 5000 1000\nc\n' > all
try 'u: nothing is mapped in the space' 'laplace-merge --pages refs all' 'R 0\nR 1\nR 2' 'laplace-merge: 1 reference lies outside of all regions'
refs 2 a c0001000 2 b c0001000 4 a c0001000 6 b c0001000 6 a 5000 6 a bffff000 6 b bffff000
printf 'A 1 1 a\nM 1 1 5000 1000 77 8 1 3000 f\nP 3 c0001000 77 8 1 3000\np 5 c0001000\nc\n' > kern
try 'a page of the kernel is one in all spaces, or that of the file that it holds' 'laplace-merge --pages --table t refs kern; cat t' \
	'R 0\nR 0\nR 1\nR 0\nR 1\nR 2\nR 3\n0\tkernel\tkernel:c0001\t2\t-\n1\tfile\t8:1:77:3\t4\tf\n2\tanon\ta:bffff\t6\t-\n3\tanon\tb:bffff\t6\t-' 'laplace-merge: 2 references lie outside of all regions'
try '--kernel-base' 'laplace-merge --kernel-base 0xc0002000 --pages refs kern | head -n 2' 'R 0\nR 1' 'laplace-merge: 6 references lie outside of all regions'
refs 2 a fffff000 2 a ffffffff 2 a 0 2 a 5000
printf 'A 1 1 a\nm 1 1 fffff000 ffffffffffffffff\nm 1 1 5000 0\nm 1 1 ffffffffffffffff 2\nm 1 9 0 ffffffff\nU 1 1 100000000 ffffffff\nc\n' > wild
try 'ranges beyond 2^64, of no bytes, of no known space' 'laplace-merge -t refs wild | cut -f7,8 | tail -n 5 | head -n 4' 'page=0\tregion=anon\npage=0\tregion=anon\npage=1\tregion=none\npage=2\tregion=none' '*: 2 references lie outside of all regions'
printf 'A 1 1 a\nD 1 a b 5000 5000\nD 1 a b 5000 4000\nc\n' > none
try 'a range that ends before it begins is ignored, and told' 'laplace-merge --pages refs none > out' '' 'laplace-merge: 2 references lie outside of all regions\nlaplace-merge: 2 duplicated ranges end before they begin, and are ignored'
refs 1 a 5000 3 b 5000 3 a 5000 5 a 5000
printf 's 2 1\nA 2 1 a\ns 4 7\nc\n' > space
try 'references of another space are counted, and no trouble' 'laplace-merge -t refs space | cut -f2,3' '-/0xa\tr\n1/-\tschedule\n1/0xa\tspace\n1/0xb\tr\n1/0xa\tr\n7/-\tschedule\n7/0xa\tr\n-\tend' \
	'laplace-merge: 1 reference has another space than the running process\nlaplace-merge: 4 references lie outside of all regions'
printf 's 1 1\nA 1 1 a\n( 2 1 77 8 1 data file\n< 3 1 77 8 1 0 200\n) 4 1 77 8 1\n- 5 77 8 1\n) 5 1 78 8 1\nF 6 2 1\nT 7 2\nF 8 3 2\nc\n' > fds
try 'what was opened is named; a thread has the space of its parent' 'laplace-merge -t /dev/null fds | cut -f2,3,7-' \
	'1/-\tschedule\n1/0xa\tspace\tspace=0xa\n1/0xa\topen\tinode=119\tmajor=8\tminor=1\tfile=data\\x20file\n1/0xa\tread\tinode=119\tmajor=8\tminor=1\tfile=data\\x20file\n1/0xa\tclose\tinode=119\tmajor=8\tminor=1\tfile=data\\x20file\n-\tdelete\tinode=119\tmajor=8\tminor=1\tfile=data\\x20file\n1/0xa\tclose\tinode=120\tmajor=8\tminor=1\n2/0xa\tfork\tparent=1\n2/0xa\texit\n3/-\tfork\tparent=2\n-\tend'

# Files of processes.
try '--processes: the references of the worked example' "laplace-merge --processes d $R $K; ls d d/1015a; sed -n '12p;14,15p;18,19p' d/1015a/101" \
	'd:\n1015a\nkernel\nprocesses\nunknown\n\nd/1015a:\n101\ni 1000000001 2 401b 0\ni 1000000003 1 401b 0\nw 1000000003 4 fee97 1\ni 1000000005 5 401c 2\nw 1000000005 4 fee97 1'
refs 1 a 5000 3 b 5000 3 b c0001000 5 a 6000
printf 's 2 1\nA 2 1 b\nX 2 1 77 8 1 ls\nP 2 c0001000 77 8 1 0\nF 4 2 1\nA 4 2 a\ns 4 2\nc\n' > files
try 'by space and task, the kernel apart, and a table' 'laplace-merge --processes p refs files; cd p; for f in unknown/1 a/2 b/1 b/2 kernel processes; do echo "== $f"; cat $f; done; find . -type f | wc -l | tr -d " "' \
	'== unknown/1\ns 2 1\n== a/2\nA 4 2 a\ns 4 2\nr 5 4 6 3\n== b/1\nA 2 1 b\nX 2 1 77 8 1 ls\nr 3 4 5 1\n== b/2\nF 4 2 1\n== kernel\nr 1 4 5 0\nP 2 c0001000 77 8 1 0\nr 3 4 c0001 2\nc\n== processes\nunknown\t1\t-\nb\t1\tls\nb\t2\tls\na\t2\tls\n6' '*: 3 references lie outside of all regions'
try 'a directory that is not empty is refused' "laplace-merge --processes p $R $K; cat p/kernel | wc -l | tr -d ' '" '4' '*: p: Directory not empty' 0
try 'an empty one is not' "mkdir e; laplace-merge --processes e/ $R $K; ls e" '1015a\nkernel\nprocesses\nunknown'
try 'where there was trouble nothing is left' "mkdir w; laplace-merge --processes w/d torn.ref $K; echo \$?; ls -A w" '2' \
	'*: torn.ref: offset 3582: *\n*: 1 record skipped\nlaplace-merge: w/d: not written because of errors'
try 'no directory to make it in' "laplace-merge --processes nowhere/d $R $K" '' 'laplace-merge: nowhere/d: No such file or directory' 2
try 'a file of -o and a table beside each other' "laplace-merge --pages --table o.t -o o.p $R $K; wc -l < o.t | tr -d ' '; wc -l < o.p | tr -d ' '; ls -A | grep spoor" '6\n200' '' 1
awk 'BEGIN { for (i = 1; i <= 300; i++) printf "A %x %x %x\ns %x %x\n", i, i % 100 + 1, i % 100 + 1, i, i % 100 + 1; print "c" }' > many
awk 'BEGIN { for (i = 1; i <= 300; i++) printf "r %x 4 %x %x\n", i, (i - 1) % 100 + 1, i * 4096 }' > many.refs
try 'more tasks than files that may be open' 'laplace-merge --processes m many.refs many 2> m.err; cat m/*/* m/kernel | grep -c ^r; cat m/*/* | grep -c ^A; find m -type f | wc -l | tr -d " "' '300\n300\n102'
try '--strict stops where a clock goes back' 'laplace-merge --strict - a.kern' 'r 5 4 a 1000\ns 5 1\ns 6 2\nr 7 4 a 1000' 'laplace-merge: <stdin>:3: the clock goes back here (said once)' 2 'r 5 4 a 1000\nr 7 4 a 1000\nr 4 4 a 1000\n'
try '--strict stops at a broken event' 'laplace-merge --strict a.reftxt' 's 1 2' '*:2: *\n*: 1 record skipped' 2 's 1 2\ns 3\ns 6 1\nc\n'
printf 'r 3 4 a 1000\nr 4 zz\n' > b.reftxt
printf 's 1 2\ns 3\ns 6 1\nc\n' > b.kern
try 'a broken event and a broken reference: told with their places' 'laplace-merge - b.kern < b.reftxt | cut -d" " -f1,2' 's 1\nr 3\ns 6\nc' \
	'laplace-merge: b.kern:2: *\nlaplace-merge: <stdin>:2: "r 4 zz": *\nlaplace-merge: b.kern: 1 record skipped\nlaplace-merge: <stdin>: 1 record skipped'
try '--chunk is refused' 'laplace-merge --chunk 1/2 a.reftxt a.kern' '' 'laplace-merge: --chunk: a part does not tell what is mapped (try laplace-merge --help)' 2
try '-f names the format of the references' 'head -c 18 $FIX/laplace/merged-head.ref > one; laplace-merge -f laplace --pages one $FIX/laplace/merged-head.kern; laplace-merge -f spc one' 'I 0' \
	'laplace-merge: -f spc: no such format (laplace, laplace-text) (try laplace-merge --help)' 2
try 'a reference of more than 32 bits is skipped, and told' 'laplace-merge - a.kern | grep ^r' 'r 5 4 a ffffffff' \
	'laplace-merge: <stdin>:2: "r 5 4 a 100000000": skipped: a space or an address exceeds the 32 bits *\nlaplace-merge: <stdin>:3: "r 6 4 123456789 1000": skipped: *\nlaplace-merge: <stdin>: 2 records skipped' 0 \
	'r 5 4 a ffffffff\nr 5 4 a 100000000\nr 6 4 123456789 1000\n'
printf '! 8 ff b 1000\nr 6 4 b 1000\nr 9 4 b 1000\n' > few
try 'a few binary references whose clock goes back are taken' 'laplace-bin2txt -r few | laplace-merge - a.kern | grep " b "' '! 8 ff b 1000\nr 6 4 b 1000\nr 9 4 b 1000' 'laplace-merge: <stdin>: offset 18: the clock goes back here (said once)'
try 'references of another format are named' 'laplace-merge - a.kern | tail -n 1' 'c -' 'laplace-merge: <stdin>: this is an SPC trace: use spc-cat' 0 '0,20941264,8192,W,0.551706\n'
try 'with -f a broken line tells its place' 'laplace-merge -f laplace-text - a.kern | tail -n 1' 'c -' 'laplace-merge: <stdin>:1: "0,20941264,8192,W,0.551706": a reference has five fields*\nlaplace-merge: <stdin>: 1 record skipped' 0 '0,20941264,8192,W,0.551706\n'
try 'but what cannot be decompressed is told' '(PATH=${PATH%%:*}; laplace-merge - a.kern) | tail -n 1' 'c -' 'laplace-merge: <stdin>: offset 0: this is compressed by gzip*' 0 '\037\0213\010\000'
try 'so they are with --order' 'laplace-bin2txt -r --order big few | laplace-merge --order big - a.kern | grep " b "' '! 8 ff b 1000\nr 6 4 b 1000\nr 9 4 b 1000' 'laplace-merge: <stdin>: offset 18: the clock goes back here (said once)'
printf 'r 2 4 0 0\nr 2 4 0 4\n' > zero
try 'a space may be 0' 'laplace-merge -t zero | cut -f2,3,7,8' '1/-\tschedule\n1/0x0\tspace\tspace=0x0\n1/0x0\tmmap-anon\n1/0x0\tr\tpage=0\tregion=anon\n1/0x0\tr\tpage=0\tregion=anon\n-\tend' '' 0 \
	's 1 1\nA 1 1 0\nm 1 1 0 1000\nc\n'
printf 'r 5 4 a c0001000\nr 7 4 a c0002000\n' > cached
printf 'P 1 c0001000 77 8 1 3000\nA 2 1 a\nM 2 1 5000 1000 77 8 1 0 a\tb\\c\nP 3 c0002000 78 8 1 3000\nc\n' > cache
try '--table: a name that came behind P but before the first touch, escaped' 'laplace-merge --pages --table t cached cache; cat t' \
	'R 0\nR 1\n0\tfile\t8:1:77:3\t5\ta\\x09b\\x5cc\n1\tfile\t8:1:78:3\t7\t-'
try 'so has the event of the reference' 'laplace-merge -t cached cache | grep "	r	" | cut -f7-' 'page=0\tfile=a\\x09b\\x5cc\tregion=file\npage=1\tregion=file'
try '--table and -o are two files' 'laplace-merge --table same -o ./same cached cache; ls same' '' 'laplace-merge: same: two outputs cannot have one name\n*same*' 2
printf 'a 1 4 0 1000\nz 2 4 0 1000\nA 3 4 0 1000\n' > az.reftxt
try '--pages: the first and the last letter become capitals' 'laplace-merge --pages az.reftxt' 'A 0\nZ 0\nA 0' '*is empty*\n*3 references lie outside*' 2

for refs in 510 511 512 513; do
	awk -v n=$refs 'BEGIN { for (i = 1; i <= n; i++) printf "r %x 4 a c0001000\n", 5 + i }' > refs.$refs
	printf 'P 1 c0001000 77 8 1 3000\nc\n' > opens
	try "as many records as a batch has, and one more: $refs" "laplace-merge -t refs.$refs opens | grep -cv '#'; laplace-merge refs.$refs opens | wc -l" "$((refs + 2))\n$((refs + 2))"
done
printf 'r\1\0\0\0\0\0\0\0\4\0\0\0\0\0\20\0\0\1\2\0\0\0\0\0\0\0\4\0\0\0\0\0\20\0\0w\3\0\0\0\0\0\0\0\4\0\0\0\0\0\20\0\0r\4\0\0\0\0\0\0\0\4\0\0\0\0\0\20\0\0' > odd.bin
try 'a type that is no letter' 'laplace-merge odd.bin opens' 'r 1 4 0 1000\nP 1 c0001000 77 8 1 3000\nw 3 4 0 1000\nr 4 4 0 1000\nc' '*: odd.bin: offset 18: the type 0x01 of a record is not a printable letter\n*: odd.bin: 1 record skipped' 2
printf 'r\1\2\3\4\5\6\7\10\4\11\12\13\14\15\16\17\20' > big.ref
try 'every byte of a big-endian record' 'laplace-merge -O order=big big.ref opens | grep r; laplace-bin2txt -O order=big big.ref' 'r 102030405060708 4 90a0b0c d0e0f10\nr 102030405060708 4 90a0b0c d0e0f10'

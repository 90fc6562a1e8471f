# shellcheck shell=sh disable=SC2016  # $FIX is the driver's
# spc.sh - SPC traces, and spc-cat.
try 'a record that is broken is told, the others are printed' 'spc-cat example.spc' \
	'0.551706000\t0\tW\t20941264\t8192\t-\tx1=Alpha/NT\n0.554041000\t0\tW\t20939840\t8192\t-\n0.556202000\t0\tW\t20939808\t8192\t-\n1.250720000\t1\tW\t3436288\t15872\t-\tx1=0x123\tx2=5.99\tx3=test\n1.609859000\t1\tW\t3435888\t512\t-\n1.634761000\t1\tW\t3435889\t512\t-\n2.346628000\t0\tR\t7695360\t4096\t-\n2.436645000\t1\tR\t10274472\t4096\t-\n2.449733000\t2\tW\t30845544\t4096\t-\n2.449733000\t1\tW\t10356592\t4096\t-' 'spc-cat: example.spc:9: field 5 (timestamp): "2 448003": a blank may only stand before a field\nspc-cat: example.spc: 1 record skipped' 2
try 'records end with or without CR, the last without a newline' 'spc-cat' '0.500000000\t0\tR\t1\t512\t-\n0.600000000\t1\tW\t2\t512\t-\n0.700000000\t2\tW\t3\t0\t-' '' 0 \
	'0,1,512,r,0.5\r\n1,2,512,W,0.6\r\n2,3,0,W,0.7'
try 'blanks before a field; empty optional fields' 'spc-cat' '0.600000000\t1\tW\t2\t512\t-\tx1=\\x20\\x20a\\x20b\\x20\tx2=""\tx3=""' '' 0 '1, 2,\t512, w, 0.6,  a b ,,\n'
try 'a blank behind a field' 'spc-cat' '' 'spc-cat: <stdin>:1: field 3 (size): "512 ": a blank may only stand before a field\nspc-cat: <stdin>: 1 record skipped' 2 \
	'1, 2,\t512 ,W,0.6\n'
# "White space characters [...] may only exist between the comma character and the beginning of the next field.
# White space characters may exist in any position in the optional fields."
try 'vertical tabs and form feeds are white space' 'spc-cat' '0.500000000\t0\tW\t1\t512\t-\tx1=a\\x0bb\\x0c' '' 0 '0,\v1,\f512,\v \t\fW,\v0.5,a\vb\f\n'
try 'optional fields stand as they are in -n' 'spc-cat -n' '0,1,512,W,0.5,a\0013b\0014' '' 0 '0,\v1,\f512,\v \t\fW,\v0.5,a\vb\f\n'
try 'white space behind a field' 'spc-cat' '' \
	'spc-cat: <stdin>:1: field 2 (LBA): "1?x0b": a blank may only stand before a field\nspc-cat: <stdin>:2: field 2 (LBA): "1?x0c": a blank may only stand before a field\nspc-cat: <stdin>:3: field 5 (timestamp): "0.5?x0c": a blank may only stand before a field\nspc-cat: <stdin>: 3 records skipped' 2 '0,1\v,512,W,0.5\n0,1\f,512,W,0.5\n0,1,512,W,0.5\f\n'
try '2^64-1 in every field' 'spc-cat' '0.000000000\t18446744073709551615\tW\t18446744073709551615\t18446744073709551615\t-' '' 0 \
	'18446744073709551615,18446744073709551615,18446744073709551615,W,0.0\n'
try '2^64 is too much' 'spc-cat' '' 'spc-cat: <stdin>:1: field 1 (ASU): "18446744073709551616": greater than 2^64-1\nspc-cat: <stdin>: 1 record skipped' 2 \
	'18446744073709551616,1,1,W,0.0\n'
try 'times are rounded, which is said once' 'spc-cat' '0.123456789\t0\tW\t1\t1\t-\n0.123456790\t0\tW\t1\t1\t-\n1.000000000\t0\tW\t1\t1\t-' \
	'spc-cat: <stdin>:1: fractions of a second are rounded to nine digits' 0 '0,1,1,W,0.1234567894\n0,1,1,W,0.1234567895\n0,1,1,W,0.9999999999\n'
try '-n leaves the digits of a time, and does not say that they are rounded' 'spc-cat -n' '0,1,1,W,0.12345678949' '' 0 '0,1,1,W,0.12345678949\n'
try 'trace-filter -n leaves them, too' 'trace-filter -n W' '0,1,1,W,0.12345678949' '' 0 '0,1,1,W,0.12345678949\n'
try '--strict stops at the first record that is broken' 'spc-cat --strict' '0.000000000\t0\tW\t1\t1\t-' \
	'spc-cat: <stdin>:2: field 2 (LBA) is missing: "bad"\nspc-cat: <stdin>: 1 record skipped' 2 '0,1,1,W,0.0\nbad\n0,1,1,W,0.0\n'
try '-n: upper case, no blanks, optional fields as they stand' 'spc-cat -n' '0,1,512,W,0.5,a B, c \n1,2,3,R,0.6' '' 0 '0, 1,\t512,w,0.5,a B, c \r\n1,2,3,R,0.6'
try '-n of what -n wrote' 'spc-cat -n' '0,1,512,W,0.5,a B, c \n1,2,3,R,0.6' '' 0 '0,1,512,W,0.5,a B, c \n1,2,3,R,0.6\n'
try '--block is noted in the metadata' "spc-cat -H --block 4K WebSearch2.spc | grep '^##'" \
	'##spoor\t1\n##format\tspc\n##clock\ts\torigin=0.000000000\n##loc\tasu\n##meta\tblock=4096\n##end\tevents=10'
try 'files follow each other, standard input among them' "spc-cat WebSearch2.spc - < Financial1.spc | wc -l | tr -d ' '" '171'
try 'another format is refused' 'spc-cat -f laplace refs.bin' '' 'spc-cat: -f laplace: only spc is read here (try spc-cat --help)' 2
try 'a directory is refused with the program to try' 'mkdir -p dir/loom.a.1/proc.1/thread.2; cp $FIX/ovni/seed.stream dir/loom.a.1/proc.1/thread.2/stream.obs; spc-cat dir' '' \
	"spc-cat: dir: is a directory: try trace-stats" 2
try 'what is compressed is told where there is no program for it' 'gzip -c Financial1.spc > a.gz; PATH=${PATH%%:*} spc-cat a.gz' '' 'spc-cat: a.gz: offset 0: this is compressed by gzip: zcat FILE | ...' 2

# Each kind of bad record is told with its line and field, and skipped; that of a time that goes back is kept.
try 'an empty line' 'spc-cat' '1.000000000\t0\tW\t1\t512\t-' 'spc-cat: <stdin>:2: an empty line is no record\nspc-cat: <stdin>: 1 record skipped' 2 '0,1,512,W,1.0\n\n'
try 'a comment' 'spc-cat' '1.000000000\t0\tW\t1\t512\t-' 'spc-cat: <stdin>:1: field 2 (LBA) is missing: "# comment"\nspc-cat: <stdin>: 1 record skipped' 2 \
	'# comment\n0,1,512,W,1.0\n'
try 'an opcode that is none' 'spc-cat -f spc' '' 'spc-cat: <stdin>:1: field 4 (opcode): "X": R or W is expected\nspc-cat: <stdin>: 1 record skipped' 2 '0,1,512,X,1.0\n'
try 'no opcode' 'spc-cat -f spc' '' 'spc-cat: <stdin>:1: field 4 (opcode): "": R or W is expected\nspc-cat: <stdin>: 1 record skipped' 2 '0,1,512,,1.0\n'
try 'a time that goes back is told and kept' 'spc-cat' '1.000000000\t0\tW\t1\t512\t-\n0.900000000\t0\tW\t2\t512\t-' \
	'spc-cat: <stdin>:2: field 5 (timestamp): "0.9": the time goes back\nspc-cat: <stdin>: kept 1 record although the time goes back (--unordered accepts that)' 2 '0,1,512,W,1.0\n0,2,512,W,0.9\n'
try 'a time that is no number' 'spc-cat -f spc' '' 'spc-cat: <stdin>:1: field 5 (timestamp): "nan": not a whole number\nspc-cat: <stdin>: 1 record skipped' 2 '0,1,512,W,nan\n'
try 'a time of one digit' 'spc-cat' '' 'spc-cat: <stdin>:1: field 5 (timestamp): "1": no decimal point: write 0.0 for 0\nspc-cat: <stdin>: 1 record skipped' 2 \
	'0,1,512,W,1\n'
try 'a time without digits behind its point' 'spc-cat' '' 'spc-cat: <stdin>:1: field 5 (timestamp): "1.": digits are expected after the point\nspc-cat: <stdin>: 1 record skipped' \
	2 '0,1,512,W,1.\n'
try 'a time without digits before its point' 'spc-cat -f spc' '' 'spc-cat: <stdin>:1: field 5 (timestamp): ".5": the value is empty\nspc-cat: <stdin>: 1 record skipped' 2 \
	'0,1,512,W,.5\n'
try 'a time that is too great' 'spc-cat -f spc' '' 'spc-cat: <stdin>:1: field 5 (timestamp): "99999999999.0": later than 292 years\nspc-cat: <stdin>: 1 record skipped' 2 \
	'0,1,512,W,99999999999.0\n'
try 'no time' 'spc-cat -f spc' '' 'spc-cat: <stdin>:1: field 5 (timestamp) is missing: "0,1,512,W"\nspc-cat: <stdin>: 1 record skipped' 2 '0,1,512,W\n'
try 'a size that is no whole number' 'spc-cat -f spc' '' 'spc-cat: <stdin>:1: field 3 (size): "4.5": not a whole number\nspc-cat: <stdin>: 1 record skipped' 2 '0,1,4.5,W,1.0\n'
try 'an address beyond 2^64-1' 'spc-cat' '' 'spc-cat: <stdin>:1: field 2 (LBA): "123456789012345678901": greater than 2^64-1\nspc-cat: <stdin>: 1 record skipped' 2 \
	'0,123456789012345678901,512,W,1.0\n'
try 'a unit with a sign' 'spc-cat -f spc' '' \
	'spc-cat: <stdin>:1: field 1 (ASU): "-1": not a whole number\nspc-cat: <stdin>:2: field 1 (ASU): "+1": not a whole number\nspc-cat: <stdin>: 2 records skipped' 2 '-1,1,512,W,1.0\n+1,1,512,W,1.0\n'
try 'a blank before the first field' 'spc-cat -f spc' '' 'spc-cat: <stdin>:1: field 1 (ASU): " 0": a blank may only stand before a field\nspc-cat: <stdin>: 1 record skipped' 2 \
	' 0,1,512,W,1.0\n'
try 'ten are told one by one, the others counted' 'seq 15 | spc-cat -f spc' '' \
	'*:1: *\n*:2: *\n*:3: *\n*:4: *\n*:5: *\n*:6: *\n*:7: *\n*:8: *\n*:9: *\n*:10: *\n*5 more*\n*: 15 records skipped' 2

# "The value of this field must be greater than or equal to all preceding records, and less than or
# equal to all succeeding records."
printf '0,1,1,R,1.0\n0,2,1,R,9999.0\n0,3,1,R,2.0\n0,4,1,R,3.0\n' > far.spc
try 'a time far ahead: the next is told, those behind it are in order' 'spc-cat far.spc' \
	'1.000000000\t0\tR\t1\t1\t-\n9999.000000000\t0\tR\t2\t1\t-\n2.000000000\t0\tR\t3\t1\t-\n3.000000000\t0\tR\t4\t1\t-' 'spc-cat: far.spc:3: field 5 (timestamp): "2.0": the time goes back\nspc-cat: far.spc: kept 1 record although the time goes back (--unordered accepts that)' 2
try 'trace-filter keeps a time that goes back' "trace-filter -F addr 'event?' far.spc" '1\n2\n3\n4' \
	'trace-filter: far.spc:3: field 5 (timestamp): "2.0": the time goes back\ntrace-filter: far.spc: kept 1 record although the time goes back (--unordered accepts that)' 2
try '-c counts it' "trace-filter -c 'event?' far.spc" '4' \
	'trace-filter: far.spc:3: field 5 (timestamp): "2.0": the time goes back\ntrace-filter: far.spc: kept 1 record although the time goes back (--unordered accepts that)' 2
try '-n writes it' "trace-filter -n 'addr = 3' far.spc" '0,3,1,R,2.0' \
	'trace-filter: far.spc:3: field 5 (timestamp): "2.0": the time goes back\ntrace-filter: far.spc: kept 1 record although the time goes back (--unordered accepts that)' 2
try 'trace-stats counts it' 'trace-stats -g event -a count far.spc' '#event\tcount\nR\t4' \
	'trace-stats: far.spc:3: field 5 (timestamp): "2.0": the time goes back\ntrace-stats: far.spc: kept 1 record although the time goes back (--unordered accepts that)' 2
try '--unordered takes it for granted' 'spc-cat --unordered far.spc' \
	'1.000000000\t0\tR\t1\t1\t-\n9999.000000000\t0\tR\t2\t1\t-\n2.000000000\t0\tR\t3\t1\t-\n3.000000000\t0\tR\t4\t1\t-'
try '--unordered of trace-filter' 'trace-filter --unordered -c R far.spc' '4'
try '--unordered of trace-stats, one thread' "trace-stats --unordered -j 1 -g event -a 'count,sum(addr)' far.spc" '#event\tcount\tsum(addr)\nR\t4\t10'
try '--unordered: other errors stay errors' 'spc-cat --unordered' '1.000000000\t0\tR\t1\t1\t-\n0.500000000\t0\tR\t2\t1\t-' \
	'spc-cat: <stdin>:2: field 2 (LBA) is missing: "broken"\nspc-cat: <stdin>: 1 record skipped' 2 '0,1,1,R,1.0\nbroken\n0,2,1,R,0.5\n'
try 'order is judged before times are rounded' 'spc-cat' \
	'0.123456789\t0\tR\t1\t1\t-\n0.123456789\t0\tR\t2\t1\t-\n0.123456789\t0\tR\t3\t1\t-\n0.123456789\t0\tR\t4\t1\t-\n0.123456789\t0\tR\t5\t1\t-\n0.123456790\t0\tR\t6\t1\t-\n0.123456790\t0\tR\t7\t1\t-\n0.123456790\t0\tR\t8\t1\t-' 'spc-cat: <stdin>:1: fractions of a second are rounded to nine digits\nspc-cat: <stdin>:2: field 5 (timestamp): "0.123456789": the time goes back\nspc-cat: <stdin>:8: field 5 (timestamp): "0.12345678999999": the time goes back\nspc-cat: <stdin>: kept 2 records although the time goes back (--unordered accepts that)' 2 '0,1,1,R,0.1234567894\n0,2,1,R,0.123456789\n0,3,1,R,0.12345678939\n0,4,1,R,0.1234567894\n0,5,1,R,0.12345678940\n0,6,1,R,0.1234567895\n0,7,1,R,0.123456790\n0,8,1,R,0.12345678999999\n'
printf '0,1,1,R,1.0000000004\n0,2,1,R,1.0000000003\n' > b.spc
try 'the first of two parts, the same nanosecond by rounding' 'spc-cat --chunk 1/2 b.spc' '1.000000000\t0\tR\t1\t1\t-' \
	'spc-cat: b.spc:1: fractions of a second are rounded to nine digits'
try 'the second of two parts knows the time before it' 'spc-cat --chunk 2/2 b.spc' '1.000000000\t0\tR\t2\t1\t-' \
	'spc-cat: b.spc:2: field 5 (timestamp): "1.0000000003": the time goes back\nspc-cat: b.spc:2: fractions of a second are rounded to nine digits\nspc-cat: b.spc: kept 1 record although the time goes back (--unordered accepts that)' 2

# "If there are a total of n units described in the complete trace file, then the trace file must contain
# at least one record for each of units 0 through n-1."
for a in 7 1 4 1; do echo "$a,1,512,R,0.0"; done > units.spc
try 'the report says which units are missing' 'trace-stats units.spc | grep missing' 'missing ASUs    0,2-3,5-6'
try '--tsv says which units are missing' 'trace-stats --tsv units.spc | grep missing' 'trace\tmissing ASUs\tvalue\t0,2-3,5-6'
try '-J says which units are missing' "trace-stats -J units.spc | grep -o '\"missing ASUs\"[^,]*,[^,]*,[^,]*'" '"missing ASUs": "0,2-3,5-6"'
try 'merged parts say which units are missing' 'for k in 1 2 3; do trace-stats -p --chunk $k/3 -o p.$k units.spc; done; trace-stats -m p.3 p.1 p.2 | grep missing' \
	'missing ASUs    0,2-3,5-6'
try 'no unit is missing' 'trace-stats | grep missing' '' '' 1 '2,1,512,R,0.0\n0,1,512,R,0.0\n1,1,512,R,0.0\n'
try 'another format has no units' 'trace-stats $FIX/charisma/cm5.chr | grep missing' '' '' 1
try 'all but the last of 2^64 units are missing' 'trace-stats | grep missing' 'missing ASUs    0-18446744073709551614' '' 0 '18446744073709551615,1,512,R,0.0\n'
try 'of many that are missing the list is cut' "seq 1 2 999 | sed 's/\$/,1,1,R,0.0/' | trace-stats | grep missing" \
	'missing ASUs    0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,...'

# shellcheck shell=sh disable=SC2016  # $FIX is the driver's
# layout.sh - files that describe a layout of CHARISMA: each kind of error, with its line.
layout() { cat > bad.layout; charisma-dump -L bad.layout --dump-layout; } # standard input
lp64() { { printf 'charisma-layout 1\nbase lp64\n'; cat; } | layout; } # standard input behind two lines
try 'the file is empty' 'layout' '' 'charisma-dump: bad.layout:0: the file is empty' 2
try 'the first line must be' 'layout' '' 'charisma-dump: bad.layout:1: the first line must be: charisma-layout 1' 2 'charisma-layout 2\n'
try 'there is no base' 'layout' '' 'charisma-dump: bad.layout:1: there is no base line' 2 'charisma-layout 1\n'
try 'base ilp32 or base lp64 must come first' 'layout' '' 'charisma-dump: bad.layout:2: base ilp32 or base lp64 must come first' 2 'charisma-layout 1\nalign packed\n'
try 'base ilp16: ilp32 or lp64' 'layout' '' 'charisma-dump: bad.layout:2: base ilp16: ilp32 or lp64 is expected' 2 'charisma-layout 1\nbase ilp16\n'
try 'expected: base' 'layout' '' 'charisma-dump: bad.layout:2: expected: base ilp32|lp64' 2 'charisma-layout 1\nbase\n'
try 'base stands twice' 'lp64' '' 'charisma-dump: bad.layout:3: base stands twice' 2 'base lp64\n'
try 'nonsense: base, align, type' 'lp64' '' 'charisma-dump: bad.layout:3: nonsense: base, align, type, const, record, struct, tail or words is expected' 2 'nonsense\n'
try 'a second line of align' 'lp64' '' 'charisma-dump: bad.layout:4: align stands twice' 2 'align natural\nalign packed\n'
try 'expected: align' 'lp64' '' 'charisma-dump: bad.layout:3: expected: align natural|packed|max N' 2 'align most\n'
try 'align max 3: a power of two' 'lp64' '' 'charisma-dump: bad.layout:3: align max 3: a power of two is expected' 2 'align max 3\n'
try '32: a number from 1 to 16' 'lp64' '' 'charisma-dump: bad.layout:3: 32: a number from 1 to 16 is expected' 2 'align max 32\n'
try 'expected: type' 'lp64' '' 'charisma-dump: bad.layout:3: expected: type NAME u1..u8|s1..s8|f4|f8 ?align N]' 2 'type TraceUserId\n'
try 'expected: type, with align' 'lp64' '' 'charisma-dump: bad.layout:3: expected: type NAME CODE ?align N]' 2 'type TraceUserId u2 align\n'
try 'u3: u1 u2 u4' 'lp64' '' 'charisma-dump: bad.layout:3: u3: u1 u2 u4 u8 s1 s2 s4 s8 f4 or f8 is expected' 2 'type TraceUserId u3\n'
try 'at: align is expected' 'lp64' '' 'charisma-dump: bad.layout:3: at: align is expected' 2 'type TraceUserId u2 at 2\n'
try 'align 6: a power of two' 'lp64' '' 'charisma-dump: bad.layout:3: align 6: a power of two is expected' 2 'type TraceUserId u2 align 6\n'
try '9x: not a name: letters, digits, _ - .' 'lp64' '' 'charisma-dump: bad.layout:3: 9x: not a name: letters, digits, _ - .' 2 'type 9x u2\n'
try 'char: a layout cannot change this type' 'lp64' '' 'charisma-dump: bad.layout:3: char: a layout cannot change this type' 2 'type char u2\n'
try 'u_short: record types are' 'lp64' '' 'charisma-dump: bad.layout:3: u_short: record types are numbers of 2 bytes' 2 'type u_short u4\n'
try 'double: an integer cannot become a float' 'lp64' '' 'charisma-dump: bad.layout:3: double: an integer cannot become a float, nor the reverse' 2 'type double u8\n'
try 'NAMES: TRACE_NAME_LENGTH' 'lp64' '' 'charisma-dump: bad.layout:3: NAMES: TRACE_NAME_LENGTH, TRACE_PATH_LENGTH, NO_APP, NO_CLIENT or COMP_RW_RECORD is expected' 2 \
	'const NAMES 3\n'
try '0: a number from 1 to 65536' 'lp64' '' 'charisma-dump: bad.layout:3: 0: a number from 1 to 65536 is expected' 2 'const TRACE_NAME_LENGTH 0\n'
try 'x: a number from' 'lp64' '' 'charisma-dump: bad.layout:3: x: a number from -9223372036854775808 to 9223372036854775807 is expected' 2 'const NO_APP x\n'
try '9: a number from 16 to 255' 'lp64' '' 'charisma-dump: bad.layout:3: 9: a number from 16 to 255 is expected' 2 'const COMP_RW_RECORD 9\n'
try '9223372036854775808: a number from' 'lp64' '' 'charisma-dump: bad.layout:3: 9223372036854775808: a number from -9223372036854775808 to 9223372036854775807 is expected' 2 \
	'const NO_CLIENT 9223372036854775808\n'
try 'expected: const' 'lp64' '' 'charisma-dump: bad.layout:3: expected: const NAME VALUE' 2 'const NO_APP\n'
try 'tail none: pad, idiom or nopad' 'lp64' '' 'charisma-dump: bad.layout:3: tail none: pad, idiom or nopad is expected' 2 'tail none\n'
try 'a second line of tail' 'lp64' '' 'charisma-dump: bad.layout:4: tail stands twice' 2 'tail pad\ntail pad\n'
try 'words first: high or low' 'lp64' '' 'charisma-dump: bad.layout:3: words first: high or low is expected' 2 'words first\n'
try 'a second line of words' 'lp64' '' 'charisma-dump: bad.layout:4: words stands twice' 2 'words low\nwords low\n'
try 'expected: record' 'lp64' '' 'charisma-dump: bad.layout:3: expected: record NUMBER NAME ?size BYTES]' 2 'record 100\n'
try 'expected: record, with size' 'lp64' '' 'charisma-dump: bad.layout:3: expected: record NUMBER NAME size BYTES' 2 'record 100 x size\n'
try '70000: a number from 0 to 65535' 'lp64' '' 'charisma-dump: bad.layout:3: 70000: a number from 0 to 65535 is expected' 2 'record 70000 x size 4\n'
try 'sizes: size is expected' 'lp64' '' 'charisma-dump: bad.layout:3: sizes: size is expected' 2 'record 100 x sizes 4\n'
try '1: a number from 2' 'lp64' '' 'charisma-dump: bad.layout:3: 1: a number from 2 to 1048576 is expected' 2 'record 100 x size 1\n'
try '9: not a name: letters, digits, _ - .' 'lp64' '' 'charisma-dump: bad.layout:3: 9: not a name: letters, digits, _ - .' 2 'record 100 9 size 4\n'
try 'record 9 is rw' 'lp64' '' 'charisma-dump: bad.layout:3: record 9 is rw' 2 'record 9 open size 4\n'
try "the header record's number is 0" 'lp64' '' "charisma-dump: bad.layout:3: the header record's number is 0" 2 'record 16 header size 4\n'
try 'the header record cannot be opaque' 'lp64' '' 'charisma-dump: bad.layout:3: the header record cannot be opaque' 2 'record 0 header size 160\n'
try 'a second record of number 100' 'lp64' '' 'charisma-dump: bad.layout:4: record 100 is there twice' 2 'record 100 x size 4\nrecord 100 y size 4\n'
try 'struct TraceThing: only' 'lp64' '' 'charisma-dump: bad.layout:3: struct TraceThing: only TraceIORequest can be described' 2 'struct TraceThing\n'
try 'the struct has no fields' 'lp64' '' 'charisma-dump: bad.layout:4: the struct has no fields' 2 'struct TraceIORequest\nend\n'
try 'the end of the record that begins at line 3 is missing' 'lp64' '' 'charisma-dump: bad.layout:4: the end of the record that begins at line 3 is missing' 2 \
	'record 100 x\nu_short record_type\n'
try 'record 100 does not begin with u_short record_type' 'lp64' '' 'charisma-dump: bad.layout:4: record 100 does not begin with u_short record_type' 2 'record 100 x\nend\n'
try 'expected: TYPE NAME' 'lp64' '' 'charisma-dump: bad.layout:4: expected: TYPE NAME, or TYPE NAME?LENGTH]' 2 'record 100 x\nu_short\n'
try 'thing: no such type' 'lp64' '' 'charisma-dump: bad.layout:4: thing: no such type' 2 'record 100 x\nthing a\n'
try 'a[: ] is missing' 'lp64' '' 'charisma-dump: bad.layout:4: a?: ] is missing' 2 'record 100 x\nchar a[\n'
try 'a[3]: only char can be an array' 'lp64' '' 'charisma-dump: bad.layout:4: a?3]: only char can be an array' 2 'record 100 x\nint a[3]\n'
try '0: a number from 1' 'lp64' '' 'charisma-dump: bad.layout:4: 0: a number from 1 to 65536 is expected' 2 'record 100 x\nchar a[0]\n'
try 'a second field of name a' 'lp64' '' 'charisma-dump: bad.layout:5: the field a is there twice' 2 'record 100 x\nint a\nint a\n'
try '1: not a name: letters, digits, _ - .' 'lp64' '' 'charisma-dump: bad.layout:4: 1: not a name: letters, digits, _ - .' 2 'record 100 x\nint 1\n'
try 'timestamp must be an integer' 'lp64' '' 'charisma-dump: bad.layout:4: timestamp must be an integer' 2 'record 100 x\ndouble timestamp\n'
try 'only a record of kind rw has requests' 'lp64' '' 'charisma-dump: bad.layout:4: only a record of kind rw has requests' 2 'record 100 x\nTraceIORequest r\n'
try 'a record has one TraceIORequest' 'lp64' '' 'charisma-dump: bad.layout:5: a record has one TraceIORequest, alone or repeated' 2 \
	'record 9 rw\nTraceIORequest r\nTraceIORequest q\n'
try 'n: no field of that name before' 'lp64' '' 'charisma-dump: bad.layout:4: n: no field of that name before' 2 'record 100 x\nrepeat n int a\n'
try 'n: not an integer' 'lp64' '' 'charisma-dump: bad.layout:5: n: not an integer' 2 'record 100 x\ndouble n\nrepeat n int a\n'
try 'char: cannot be repeated' 'lp64' '' 'charisma-dump: bad.layout:5: char: cannot be repeated' 2 'record 100 x\nint n\nrepeat n char a\n'
try 'nothing can follow' 'lp64' '' 'charisma-dump: bad.layout:6: no field can follow a repeated field' 2 'record 100 x\nint n\nrepeat n int a\nint b\n'
try 'record 9 (rw) has no field operation_type' 'lp64' '' 'charisma-dump: bad.layout:6: record 9 (rw) has no field operation_type' 2 \
	'record 9 rw\nu_short record_type\nTimestampType starttime\nend\n'
try 'timestamp_unit must be a float' 'lp64' '' 'charisma-dump: bad.layout:7: timestamp_unit must be a float or a double' 2 \
	'record 0 header\nu_short record_type\nTimestampType timestamp\nint timestamp_unit\nend\n'
try 'more than 8 words' 'lp64' '' 'charisma-dump: bad.layout:3: more than 8 words' 2 'a b c d e f g h i\n'
try 'more than 40 types' "seq 30 | sed 's/.*/type t& u4/' | lp64" '' 'charisma-dump: bad.layout:23: more than 40 types' 2
try 'the layout has more than 48 records' "seq 101 140 | sed 's/.*/record & x size 4/' | lp64" '' 'charisma-dump: bad.layout:33: the layout has more than 48 records' 2
try 'the record has more than 32 fields' "{ echo record 100 x; seq 33 | sed 's/^/int f/'; } | lp64" '' 'charisma-dump: bad.layout:36: the record has more than 32 fields' 2
try 'the record is longer than 1 MiB' "{ printf 'record 100 x\\nu_short record_type\\n'; seq 20 | sed 's/.*/char f&[65536]/'; echo end; } | lp64" '' \
	'charisma-dump: bad.layout:25: the record is longer than 1 MiB' 2
try 'numbers are decimal, or hexadecimal behind 0x' "lp64 | grep '	[xy]	'" 'bad\tx\t(sizeof)\t0\t10\nbad\ty\t(sizeof)\t0\t16' '' 0 \
	'record 100 x size 010\nrecord 101 y size 0x10\n'
try 'a layout that is not there' 'charisma-dump -L none.layout --dump-layout' '' 'charisma-dump: none.layout: No such file or directory' 2

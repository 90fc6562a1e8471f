#!/usr/bin/env bats
# charisma-state.bats - CHARISMA: which application, which file, which end; and layouts that do not fit.
# The sentence of the header file that asks for it stands beside each test: "...".

load ../helpers

setup_file() {
	# What every trace of `records` begins with, as escapes, and the time of this header record.
	HEAD=$(head -c 168 "$FIX/charisma/lp64-le.chr" | od -An -v -to1 | tr -d '\n' | sed 's/ *\([0-7][0-7]*\)/\\\1/g')
	ZERO=$(charisma-dump -M --preset lp64-le "$FIX/charisma/lp64-le.chr" | sed -n 's/^timestamp\t//p')
	export HEAD ZERO
}

setup() {
	enter
	C=$FIX/charisma
}

# records < LINES: a trace of lp64-le with these records, from text, one a line, to standard output. Times
# are microseconds after the header record.
#	load APP CLIENT...	join APP CLIENT		leave APP CLIENT	exit APP
#	open client|app ID FD FILE	close client|app ID FD
#	rw OP FD ASYNC APP START END [CLIENT:OFFSET:SIZE]...	end ASYNC CLIENT APP CALL END
records() {
	# A command for each record: the awks differ in what they print of a byte of 0. As a file, since of
	# a pipe a shell reads one byte at a time.
	awk '
		BEGIN {
			zero = ENVIRON["ZERO"]
			for (i = 0; i < 256; i++) octal[i] = sprintf("\\%03o", i)
			for (zeros = octal[0]; length(zeros) < 4 * 256; zeros = zeros zeros) ;
			put(ENVIRON["HEAD"])
		}
		function put(s) { printf "printf \047%s\047\n", s }
		function le(v, n,   i) {
			at += n
			if (v < 0) v += 2 ^ (8 * n)
			for (i = 0; i < n && v; i++) { out = out octal[v % 256]; v = int(v / 256) }
			out = out substr(zeros, 1, 4 * (n - i))
		}
		function to(place) { if (at < place) le(0, place - at) }
		function text(s, n,   p) { p = at; out = out s; at += length(s); to(p + n) }
		function begin(type) { at = 0; le(type, 2); to(8); now += 10; le(zero + now, 8) }
		function member(type) { begin(type); le($2, 4); le($3, 4); to(24) }
		function id(a, b) { le($3, 4); le($4, 4) }
		$1 == "load" { begin(1); text("solver", 32); text("/bin", 256); to(320); le($2, 4); le(NF - 2, 2); to(328)
			for (i = 3; i <= NF; i++) le($i, 4)
			to(328 + int((NF - 2 + 1) / 2) * 8) }
		$1 == "exit" { begin(2); le($2, 4); to(24) }
		$1 == "join" { member(3) }
		$1 == "leave" { member(4) }
		$1 == "open" { begin($2 == "app" ? 5 : 6); le($3, 4); text("f" $5, 32); text("/cfs", 256); le($5, 4); le($4, 4); to(336); le(2, 1); to(344) }
		$1 == "close" { begin($2 == "app" ? 7 : 8); le($3, 4); le($4, 4); to(32) }
		$1 == "rw" { at = 0; le(9, 2); to(8); le(zero + $6, 8); le($7 ? zero + $7 : 0, 8); le($3, 4); le($2, 1); to(32); le($4, 4); le($5, 4); le(NF - 7, 2); to(48)
			for (i = 8; i <= NF; i++) { split($i, r, ":"); le(r[2], 8); le(0, 8); le(r[3], 8); le(r[1], 4); le(0, 4) } }
		$1 == "end" { at = 0; le(14, 2); to(8); le(zero + $5, 8); le(zero + $6, 8); le($2, 4); le($3, 4); le($4, 4); to(40) }
		{ put(out); out = "" }' > records.sh
	sh -e records.sh
}

# The iPSC/860 removed num_clients and appl_id from reads and writes.
short_rw() {
	cat <<-'END'
	charisma-layout 1
	base lp64
	record 9 rw
	u_short record_type
	TimestampType starttime
	TimestampType endtime
	TraceFileDesc file_desc
	byte operation_type
	TraceAsyncId async_id
	TraceIORequest requests
	end
	END
}

# shorten: the reads and writes of `records`, of one request each, without the two fields.
shorten() {
	short_rw > short.layout
	charisma-dump -L short.layout --dump-layout > short.tsv
	[ "$(sed -n 's/.*TraceRWRecord\trequests\t//p' short.tsv)" = $'40\t32' ]
	[ "$(sed -n 's/.*TraceRWRecord\t(sizeof)\t0\t//p' short.tsv)" = 72 ]
	od -An -v -tx1 -w8 | awk '
		NR <= 21 { print; next }
		!left { t = $1; n = t == "01" ? 43 - 1 : t == "02" || t == "03" || t == "04" ? 3 : t == "05" || t == "06" ? 43 : t == "07" || t == "08" ? 4 : t == "09" ? 10 : 5; left = n; k = 0 }
		{ k++; if (!(t == "09" && k == 6)) { if (t == "09" && k == 5) { $5 = $6 = $7 = $8 = "00" } print }; left-- }' |
		tr -d '\n' | sed 's/ *\([0-9a-f][0-9a-f]\)/\\x\1/g' > hex
	# shellcheck disable=SC2059
	printf "$(cat hex)"
}

# files FILE [OPTION...]: event, loc, file of reads, writes and closes, blanks between.
files() {
	charisma-dump "$@" 2>/dev/null > events
	trace-filter -F event,loc,file 'read or write or close' events | tr '\t' ' '
}

@test "an application-wide request has the file that its client's application opened" {
	# "For application-wide (data-parallel) I/O, the application ID is included ... TraceAppId appl_id;
	# if appropriate, or NO_APP"; "This provides a binding between client-ids and applications."
	records > a <<-'END'
	load 1 10 11
	join 2 20
	open app 1 64 501
	open app 2 64 502
	rw 0 64 0 -1 100 130 10:0:512 11:512:512
	rw 2 64 0 -1 100 130 20:0:512
	rw 2 64 0 1 100 130 20:0:512
	END
	files --preset lp64-le a > got
	same - got <<-'END'
	read 10 501
	read 11 501
	write 20 502
	write 20 501
	END
}

@test "where reads and writes have no appl_id, the load or join tells the application" {
	# "on the iPSC/860 we removed the num_clients and appl_id fields"
	printf '%s\n' 'join 1 10' 'open app 1 64 501' 'rw 0 64 0 -1 100 130 10:0:512' 'rw 3 64 7 -1 200 0 10:512:512' \
		'end 7 -1 1 300 900' | records | shorten > a
	files -L short.layout a > got
	same - got <<-'END'
	read 10 501
	write 10 501
	END
	# Its asynchronous request has an end too.
	has "$(charisma-dump -L short.layout a 2>/dev/null)" $'^0.000200000\t10\twrite\t512\t512\t0.000700000\t'
}

@test "an application's asynchronous request and its end pair when one of them says NO_APP" {
	# "some kind of identifier that will allow us to pair it with the end record ... TraceClientId client_id;
	# if appropriate, or NO_CLIENT; TraceAppId appl_id; if appropriate, or NO_APP"
	records > a <<-'END'
	load 1 10
	load 2 20
	rw 1 64 7 -1 100 0 10:0:512
	rw 1 64 7 -1 200 0 20:0:512
	rw 1 64 8 1 300 0 10:0:512
	rw 1 64 9 -1 400 0 10:0:512
	join 3 30
	rw 1 64 7 -1 500 0 30:0:512
	end 7 -1 2 900 1200
	end 7 -1 1 900 1100
	end 8 -1 -1 900 1300
	end 9 -1 1 900 1400
	end 7 -1 3 900 1500
	END
	charisma-dump --preset lp64-le a 2>/dev/null > e
	trace-filter -F dur read e > got
	same - got <<-'END'
	0.001000000
	0.001000000
	0.001000000
	0.001000000
	0.001000000
	END
	# The same where nobody asks for arguments.
	[ "$(trace-filter -c 'dur = 1ms' a 2>/dev/null)" = 5 ] ||
		[ "$(charisma-dump -b --preset lp64-le a 2>/dev/null | trace-filter -c 'dur = 1ms')" = 5 ]
}

@test "a descriptor that a fork inherited has its parent's file, also when the parent has closed it" {
	# "all clients accessing a file have the same file ID, but may have ... the same file descriptor if they
	# inherited the file descriptor through dup or fork"
	records > a <<-'END'
	load 1 10
	open client 10 3 501
	open client 10 4 502
	join 1 11
	rw 4 3 0 -1 100 130 11:0:512
	close client 10 3
	join 1 12
	open client 10 3 503
	rw 4 3 0 -1 100 130 11:512:512
	rw 4 4 0 -1 100 130 11:512:512
	rw 4 3 0 -1 100 130 12:0:512
	close client 10 4
	rw 4 4 0 -1 100 130 12:0:512
	close client 11 3
	close client 12 4
	rw 4 3 0 -1 100 130 10:0:512
	load 2 20
	rw 4 4 0 -1 100 130 20:0:512
	END
	files --preset lp64-le a > got
	# When 12 was forked, 10 had closed 3, but 11 had it; 20 is of another application.
	same - got <<-'END'
	read 11 501
	close 10 501
	read 11 501
	read 11 502
	read 12 501
	close 10 502
	read 12 502
	close 11 501
	close 12 502
	read 10 503
	read 20 -
	END
}

@test "a descriptor that several clients may have left to a fork has no file, and is counted" {
	records > a <<-'END'
	load 1 10
	join 1 11
	open client 10 3 501
	open client 11 3 502
	join 1 12
	rw 4 3 0 -1 100 130 12:0:512
	END
	files --preset lp64-le a > got
	same - got <<< 'read 12 -'
	status_is 0 charisma-dump --preset lp64-le a
	# It was opened: the message does not say the contrary.
	has "$stderr" '1 request or close on descriptors not known to be open'
	[ "$(grep -c 'no record opened' <<<"$stderr")" = 0 ]
}

@test "late records find the files of thousands of clients and applications that have exited" {
	# "Here we assume that all clients of the application are done": but records are logged late.
	awk 'BEGIN {
		for (i = 1; i <= 1500; i++) {
			c = 10000 + i
			printf "load %d %d\nopen client %d 3 %d\nleave %d %d\nexit %d\n", i, c, c, 500 + i, i, c, i
		}
		for (i = 1; i <= 1500; i++) printf "rw 4 3 0 -1 100 130 %d:0:512\n", 10000 + i
	}' | records > a
	files --preset lp64-le a | awk '$3 != $2 - 9500 { print; bad = 1 } { n++ } END { if (bad || n != 1500) { print n " requests"; exit 1 } }'
}

@test "a number that is used again does not mean the files of the one before" {
	# "The application ID, perhaps a process ID, should be a unique number"
	records > a <<-'END'
	load 1 10
	open client 10 3 501
	load 1 10
	rw 4 3 0 -1 100 130 10:0:512
	END
	files --preset lp64-le a > got
	same - got <<< 'read 10 -'
}

@test "NO_CLIENT and NO_APP are nobody: loc is -, and there is no appl_id" {
	# "if appropriate, or NO_CLIENT", "if appropriate, or NO_APP"
	records > a <<-'END'
	rw 0 64 0 -1 100 130 -1:0:512
	rw 0 64 0 5 100 130 -1:0:512
	rw 4 3 0 -1 100 130 10:0:512
	rw 4 3 0 5 100 130 10:0:512
	end 7 -1 -1 900 1000
	end 7 10 -1 900 1000
	end 7 -1 5 900 1000
	end 7 10 5 900 1000
	END
	status_is 0 charisma-dump --preset lp64-le a
	cut -f2- <<<"$output" | sed 1d | cut -d'	' -f1,2,6- > got
	same - got <<-'END'
	-	read	by=app	file_desc=64	operation_type=0	async_id=0	memory_offset=0
	app:5	read	by=app	file_desc=64	operation_type=0	async_id=0	appl_id=5	memory_offset=0
	10	read	by=client	file_desc=3	operation_type=CLIENTREQUEST	async_id=0	memory_offset=0
	10	read	by=client	file_desc=3	operation_type=CLIENTREQUEST	async_id=0	appl_id=5	memory_offset=0
	-	async-end	call_time=0.000900000	async_id=7
	10	async-end	by=client	call_time=0.000900000	async_id=7
	app:5	async-end	by=app	call_time=0.000900000	async_id=7	appl_id=5
	10	async-end	by=client	call_time=0.000900000	async_id=7	appl_id=5
	END
	charisma-dump --tune simd=slow --preset lp64-le a 2>/dev/null | same - <(echo "$output")
}

@test "the quick way is the slow way where requests with and without an appl_id take turns" {
	awk 'BEGIN {
		printf "load 1 10 11\nopen client 10 3 501\nopen client 11 3 502\n"
		for (i = 1; i <= 300; i++)
			printf "rw 4 3 0 %d %d %d %d:%d:512\n", i % 3 ? -1 : 1, i * 10, i * 10 + 5, 10 + i % 2, i * 512
	}' | records > a
	for o in -t -b; do
		charisma-dump $o --preset lp64-le a > fast 2>/dev/null
		charisma-dump --tune simd=slow $o --preset lp64-le a 2>/dev/null | same - fast
	done
	[ "$(trace-filter -c 'appl_id = 1 and read' fast)" = 100 ]
	[ "$(trace-filter -c 'read and not appl_id?' fast)" = 200 ]
}

@test "a client's request with several clients, and an end before its start, are told" {
	# "u_short num_clients; = 1 if CLIENTREQUEST"; "both the starting and ending time are recorded"
	records > a <<-'END'
	load 1 10 11
	rw 4 3 0 -1 100 130 10:0:512
	rw 4 3 0 -1 100 130 10:0:512 11:0:512
	rw 6 3 0 -1 100 130
	rw 4 3 0 -1 200 130 10:0:512
	END
	for simd in slow ''; do
		status_is 0 charisma-dump --tune simd=$simd --preset lp64-le a
		has "$stderr" ": 2 clients' requests do not name exactly one client \(offset 584 is the first\)\$"
		has "$stderr" ': 1 request ends before it starts \(offset 744\)$'
		[ "$(wc -l <<<"$output")" = 7 ]
	done
}

@test "system_type has one name, in events, -M and the stream's header" {
	# "byte system_type; which kind of system"
	name=$(charisma-dump "$C/cm5.chr" 2>/dev/null | grep -o 'system_type=[^	]*')
	[ "$name" = system_type=CM5 ]
	charisma-dump -M "$C/cm5.chr" 2>/dev/null | grep -Fxq "${name/=/	}"
	charisma-dump -H "$C/cm5.chr" 2>/dev/null | grep -Fxq "##meta	$name"
	# All names are those of the header's fields, with their values.
	charisma-dump "$C/cm5.chr" 2>/dev/null | head -1 | cut -f7- | tr '\t' '\n' | grep -v '^timestamp=' | sort > event
	charisma-dump -M "$C/cm5.chr" 2>/dev/null | sed 1,3d | grep -v '^timestamp	' | tr '\t' = | sort | same - event
}

@test "the layout that was taken is said of a trace with an error too" {
	# "This file defines the format of the records": not which machine's.
	for damage in unknown cut header; do
		cp "$C/lp64-le.chr" a
		case $damage in
		unknown) printf 'M\0' >> a ;;
		cut) printf '\11\0\0\0\0\0\0\0\0' >> a ;;
		header) head -c 400 /dev/zero >> a ;;
		esac
		status_is 2 charisma-dump a
		has "$stderr" 'offset 3248: '
		[ "$(grep -c ': layout lp64-le, because its records fit' <<<"$stderr")" = 1 ]
	done
}

@test "call_time stands once, and a number of ticks has no sign" {
	# "typedef ... TimestampType": likely 8 bytes
	echo 'end 7 10 1 900 1000' | records > a
	# An end beyond 292 years: the time stamps as they stand.
	printf '\177' | dd of=a bs=1 seek=$((168 + 23)) conv=notrunc status=none
	charisma-dump --preset lp64-le a 2>/dev/null | tail -1 > got
	[ "$(grep -o 'call_time=' got | wc -l)" = 1 ]
	has "$(cat got)" 'call_time=954[0-9]*$'
	# In ticks: a request that takes more than 2^63 of them has no duration, and no negative one.
	echo 'rw 4 3 0 1 100 130 10:0:512' | records > a
	printf '\0\0\0\0\0\0\0\0' | dd of=a bs=1 seek=160 conv=notrunc status=none
	printf '\377' | dd of=a bs=1 seek=$((168 + 23)) conv=notrunc status=none
	charisma-dump --preset lp64-le a 2>/dev/null | tail -1 > got
	[ "$(cut -f6 got)" = - ]
	has "$(cat got)" 'endtime='
}

# custom NAME-LENGTH: a: the trace `plain`, whose header record stays lp64-le's and whose records do not.
custom() {
	printf 'charisma-layout 1\nbase lp64\nconst TRACE_NAME_LENGTH %s\n' "$1" > custom.layout
	pad=$(($1 - 32))
	{
		head -c $((168 + 16 + 32)) plain; head -c $pad /dev/zero
		tail -c +$((168 + 48 + 1)) plain | head -c $((336 - 48 + 20 + 32)); head -c $pad /dev/zero
		tail -c +$((168 + 336 + 52 + 1)) plain
	} > a
}

@test "a layout whose walk fails is refused, and named only if it read records" {
	# "This file defines the format of the records stored in trace files", and lengths are the machine's.
	printf '%s\n' 'load 1 10 11' 'open client 10 3 501' 'rw 4 3 0 1 100 130 10:0:512' 'rw 4 3 0 1 200 230 10:512:512' | records > plain
	charisma-dump --preset lp64-le plain > plain.txt 2>/dev/null
	for n in 40 48 64 80 256; do
		custom $n
		status_is 2 charisma-dump a
		[ -z "$output" ] || { echo "$n: $output"; return 1; }
		has "$stderr" 'offset 8: no preset fits'
		# With its layout it is whole.
		status_is 0 charisma-dump -L custom.layout a
		same plain.txt - <<<"$output"
	done
	# Records of no type at all: nothing comes near.
	{ head -c 168 "$C/lp64-le.chr"; head -c 4000 /dev/zero | tr '\0' '\252'; } > a
	status_is 2 charisma-dump a
	has "$stderr" 'no preset fits the header and the next records: give -O preset or -O layout'
	# Times must be near the header's: a record of the right length a century before it.
	printf '%s\n' 'exit 1' 'exit 2' 'exit 3' | records > a
	for at in 0 24 48; do head -c 8 /dev/zero | tr '\0' '\177' | dd of=a bs=1 seek=$((168 + at + 8)) conv=notrunc status=none; done
	status_is 2 charisma-dump a
	has "$stderr" 'no preset fits'
}

# put FILE OFFSET BYTE
put() { printf '%b' "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none; }

# times ODD RECORDS: a: so many records, of which that many have a time centuries from the header's.
times() {
	seq "$2" | sed 's/^/exit /' | records > a
	for at in $(seq 0 24 $((24 * ($1 - 1)))); do
		put a $((168 + at + 8)) '\0177\0177\0177\0177\0177\0177\0177\0177'
	done
}

@test "how many records may look odd" {
	# Behind a header that is enough by itself a third, behind another one a quarter.
	for few in '1 3' '2 6'; do
		# shellcheck disable=SC2086  # two words
		times $few
		status_is 0 charisma-dump a
		has "$stderr" ': layout lp64-le, because its records fit'
		# No machine has this type.
		put a 48 '\0'
		status_is 2 charisma-dump a
		has "$stderr" 'offset 8: no preset fits'
	done
	times 2 5
	status_is 2 charisma-dump a
	has "$stderr" 'offset 8: no preset fits'
	times 1 4
	put a 48 '\0'
	status_is 0 charisma-dump a
	has "$stderr" ': layout lp64-le, because its records fit'
}

# Nine points of ten: the counts have two, system_type has two.
@test "which headers are enough by themselves" {
	# Behind the records a type that no trace has: the header alone decides.
	{ printf 'exit 1\nexit 2\nexit 3\n' | records; printf 'M\0'; head -c 78 /dev/zero; } > base
	while read -r odd other want; do
		cp base a
		for ((at = 139; at < 139 + 4 * odd; at += 4)); do put a $at '\0177'; done
		case $other in
		gmt) put a 31 '\0177' ;;
		system) put a 48 '\0' ;;
		esac
		status_is 2 charisma-dump a
		has "$stderr" "$want" || { echo "$odd counts, $other"; return 1; }
	done <<-'END'
	0 none : layout lp64-le, because its records fit
	1 none : layout lp64-le, because its records fit
	2 none : layout lp64-le, because its records fit
	3 none offset 8: no preset fits
	0 gmt : layout lp64-le, because its records fit
	1 gmt offset 8: no preset fits
	0 system offset 8: no preset fits
	END
}

@test "requests whose fields have other names have no address, or no size" {
	echo 'rw 4 3 0 1 100 130 10:512:4096' | records > a
	while read -r offset size want; do
		{
			printf 'charisma-layout 1\nbase lp64\nstruct TraceIORequest\nBigInt %s\nBigInt IO_position\n' "$offset"
			printf 'BigInt %s\nTraceClientId client_id\nend\n' "$size"
		} > own.layout
		[ "$(charisma-dump -L own.layout a 2>/dev/null | tail -1 | cut -f 4-6 | tr '\t' ' ')" = "$want" ]
	done <<-'END'
	offset IO_size 512 4096 0.000030000
	at IO_size - 4096 0.000030000
	offset bytes 512 - 0.000030000
	at bytes - - 0.000030000
	END
}

@test "parts, and pieces of threads, know what stands before them" {
	# Clients that open, fork, use what they inherited, leave and come again; requests of several clients,
	# asynchronous ones, some without an end.
	for seed in 1 2 3 4 5 6; do
		awk -v seed=$seed 'function r(n) { return int(rand() * n) }
			BEGIN { srand(seed); print "load 1 10 11"; print "load 2 20"; t = 100
				for (i = 0; i < 400; i++) {
					app = 1 + r(2); c = app * 10 + r(4); fd = 3 + r(4); t += 10; k = r(20)
					if (k == 0) print "join", app, c
					else if (k < 3) print "open client", c, fd, 500 + r(9)
					else if (k == 3) print "open app", app, fd, 600 + r(3)
					else if (k == 4) print "close client", c, fd
					else if (k == 5 && !r(3)) print "close app", app, fd
					else if (k == 6 && !r(4)) print "leave", app, c
					else if (k == 7) print "rw", 1, fd, i % 50, r(2) ? app : -1, t, 0, c ":0:512", (c + 1) ":512:512"
					else if (k < 10) print "end", r(50), r(3) ? c : -1, r(3) ? app : -1, t, t + 5
					else if (k < 12) print "rw", 5, fd, i % 50, r(2) ? app : -1, t, 0, c ":" i * 512 ":512"
					else print "rw", 4 + 2 * r(2), fd, 0, r(2) ? app : -1, t, t + 7, c ":" i * 512 ":512"
				} }' | records > a
		for o in '' '-O no-state' '-O async-window=8'; do
						trace-filter -O preset=lp64-le $o 'event?' a > whole 2> err || :
			[ "$(wc -l < whole)" -gt 400 ]
			for n in 2 3 9; do
				for ((i = 1; i <= n; i++)); do trace-filter -O preset=lp64-le $o --chunk $i/$n 'event?' a 2>&-; done | same whole -
				trace-filter --tune worth=$((3000 / n)) -j $n -O preset=lp64-le $o 'event?' a 2>&1 > got | same err -
				same whole got
				trace-stats -j 1 --tsv -O preset=lp64-le $o a > whole.stats 2> err.stats
				trace-stats --tune worth=$((3000 / n)) -j $n --tsv -O preset=lp64-le $o a 2>&1 > got | same err.stats -
				same whole.stats got
			done
		done
		# Statistics of parts add up.
		trace-stats -O preset=lp64-le -g event,file -a 'count,sum(size),sum(dur)' a > whole 2>&-
		for i in 1 2 3 4; do trace-stats -p -O preset=lp64-le -g event,file -a 'count,sum(size),sum(dur)' --chunk $i/4 a 2>&-; done |
			trace-stats -m 2>&- | sort | same <(sort whole) -
	done
	# Where reading ends early, one part says so, and those behind it have nothing.
	{ head -c 20000 a; head -c 400 /dev/zero | tr '\0' '\377'; tail -c +20401 a; } > bad
	head -c 30001 a > short
	for f in bad short; do
		trace-filter -O preset=lp64-le -O no-state 'event?' $f > whole 2> err || [ $? = 2 ]
		grep -v 'skipped$' err > said
		[ "$(wc -l < said)" = 1 ]
		for i in 1 2 3 4 5; do trace-filter -O preset=lp64-le -O no-state --chunk $i/5 'event?' $f 2>> errs || :; done | same whole -
		grep -v 'skipped$' errs | same said -
		rm errs
	done
	# Half of the requests have a file: the traces do what they are for.
	[ "$(trace-filter -O preset=lp64-le -c 'file?' a 2>&-)" -gt 150 ]
}

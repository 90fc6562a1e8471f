#!/usr/bin/env bats
# anonymise.bats - trace-anonymise: no name is left, analyses give the same numbers, hashes are those of OpenSSL.

bats_require_minimum_version 1.5.0
load ../helpers

setup() {
	enter
}

@test "no name of a trace is left, in text, binary, keyed, of native traces and of streams" {
	printf 0123456789abcdef > key
	trace-filter -b 'event?' "$FIX/charisma/cm5.chr" > chr.bin
	trace-filter -H 'event?' "$FIX/charisma/cm5.chr" > chr.txt
	trace-filter -H 'event?' "$FIX/dumpi/every-call-0000.bin" > calls.txt
	for o in -b -H '-b --key-file key' '-H --key-file key'; do
		for f in "$FIX/charisma/cm5.chr" chr.bin chr.txt; do
			# shellcheck disable=SC2086  # two words
			trace-anonymise $o "$f" > out
			! grep -aE 'solver|out\.00|/usr/bench|/cfs|field\.dat|benchmark|2170756858|=501' out || return 1
		done
		for f in "$FIX/dumpi/every-call-0000.bin" calls.txt; do
			# shellcheck disable=SC2086  # two words
			trace-anonymise $o "$f" > out
			! grep -aE 'a[0-9]+\.[0-9]+\.[0-9]|host-1|main.loop|key.one|=user$' out || return 1
		done
	done
	trace-anonymise -H "$FIX/runs/tasks" | grep -c 'node0' | same <(echo 0) -
	trace-anonymise -H "$FIX/laplace/k32-excerpt.kern" > out
	trace-filter -F file 'file?' "$FIX/laplace/k32-excerpt.kern" | sort -u > names
	[ "$(wc -l < names)" -ge 3 ]
	run ! grep -aFwf names out
}

@test "equal names stay equal, and others differ: a map of one to one" {
	for f in "$FIX/charisma/cm5.chr" "$FIX/laplace/k32-excerpt.kern"; do
		field=name
		trace-filter -F name 'name?' "$f" > old 2> /dev/null || [ $? -le 2 ]
		[ -s old ] || { field='file'; trace-filter -F file 'file?' "$f" > old; }
		trace-anonymise "$f" | trace-filter -F $field "$field?" > new
		paste old new | sort -u > pairs
		[ "$(cut -f 1 pairs | uniq | wc -l)" = "$(wc -l < pairs)" ]
		[ "$(cut -f 2 pairs | sort -u | wc -l)" = "$(wc -l < pairs)" ]
		[ "$(wc -l < pairs)" -ge 3 ]
		trace-anonymise --map map "$f" > /dev/null
		sort -u pairs > want
		awk -F'\t' '$1 == "file" { print $3 "\t" $2 }' map | sort -u > got
		comm -23 want got | same /dev/null -
	done
}

@test "a stream and its native trace get the same names" {
	for f in "$FIX/charisma/cm5.chr" "$FIX/runs/solver.meta" "$FIX/runs/tasks" "$FIX/laplace/seed.kern" "$FIX/dumpi/every-call-0000.bin"; do
		trace-anonymise -H "$f" > native
		trace-filter -H 'event?' "$f" | trace-anonymise | same native -
		trace-filter -b 'event?' "$f" | trace-anonymise -H | same native -
	done
}

@test "analyses give the same numbers before and after" {
	trace-anonymise -b "$FIX/runs/solver.meta" > solver.bin
	trace-match -t "$FIX/runs/solver.meta" > before
	[ "$(wc -l < before)" = 57 ]
	trace-match -t solver.bin | same before -
	trace-stats "$FIX/runs/solver.meta" | grep -v '^skipped' > before
	trace-stats solver.bin | grep -v '^skipped' | same before -
	for what in '' sharing hot; do
		# shellcheck disable=SC2086  # perhaps no word
		trace-access $what "$FIX/charisma/cm5.chr" | cut -f 2- > before
		# shellcheck disable=SC2086
		trace-anonymise -b "$FIX/charisma/cm5.chr" | trace-access $what | cut -f 2- | same before -
	done
	trace-reuse "$FIX/laplace/three.ref" > before
	trace-anonymise -b "$FIX/laplace/three.ref" | trace-reuse | same before -
	trace-reuse -K name "$FIX/charisma/cm5.chr" > before 2> /dev/null || [ $? = 2 ]
	trace-anonymise -b "$FIX/charisma/cm5.chr" | trace-reuse -K name 2> /dev/null | same before - || [ "${PIPESTATUS[1]}" = 2 ]
	if [ -d "${SPOOR_TRACES-/none}/dumpi/app-minife" ]; then
		trace-match -t "$SPOOR_TRACES"/dumpi/app-minife/*.meta > before
		trace-anonymise -b "$SPOOR_TRACES"/dumpi/app-minife/*.meta | trace-match -t | same before -
	fi
}

@test "the anonymised trace can be written in its own format, and reads back the same" {
	while read -r f format; do
		trace-anonymise -H "$FIX/$f" > want
		rm -rf out
		trace-convert -T "$format" -o out want
		in=out
		[ ! -e out/file1.meta ] || in=out/file1.meta
		# An event of ovni that names a label has the label's length as its size.
		trace-filter -H 'event?' $in | sed 's/\tVYc\t-\t[0-9]*/\tVYc\t-\tN/' > got
		sed 's/\tVYc\t-\t[0-9]*/\tVYc\t-\tN/' want | same got -
	done <<-END
		runs/solver.meta dumpi
		runs/tasks ovni
		charisma/cm5.chr charisma
		laplace/seed.kern laplace-text
		spc/Financial1-head.spc spc
	END
}

@test "keyed names end with SipHash-2-4 of the name, as OpenSSL computes it; alias() and hash() agree" {
	needs openssl
	head -c 16 /dev/urandom > key
	od -A n -t x1 -v key | tr -d ' \n' > hex
	{ cat hex; echo; } > hexkey
	for s in a /etc/passwd abcdefg abcdefgh "$(printf 'x%.0s' {1..200})"; do
		printf '0.0\tl\te\t-\t-\t-\tfile=%s\n' "$s" > in
		want=$(printf %s "$s" | openssl mac -macopt "hexkey:$(<hex)" -macopt size:8 -in - SIPHASH | tr A-F a-f)
		# OpenSSL prints the bytes of a number whose least significant byte is first.
		want=$(for i in 14 12 10 8 6 4 2 0; do printf %s "${want:$i:2}"; done)
		for k in key hexkey; do
			[ "$(trace-anonymise --key-file $k in | cut -f 7)" = "file=file-$want" ]
			[ "$(trace-filter -F "hash(file, \"$k\")" 'event?' in)" = "$(printf %llu "0x$want")" ]
		done
	done
	# The vector of the paper: the bytes 0 to 14, by the key of bytes 0 to 15.
	printf '\0\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17' > key
	printf '0.0\tl\te\t-\t-\t-\tf=\\x00\\x01\\x02\\x03\\x04\\x05\\x06\\x07\\x08\\x09\\x0a\\x0b\\x0c\\x0d\\x0e\n' > in
	trace-anonymise --key-file key in | cut -f 7 | same <(echo f=f-a129ca6149be45e5) -
}

@test "alias(): one count for a prefix, texts and numbers, in order of events, no part and no thread alone" {
	printf '%s.0\t%s\te\t-\t-\t-\ta=%s\tb=%s\n' 0 x /u/v w 1 y w /u/v 2 x 7 007 > in
	cat > want <<-END
		0.000000000	loc1	e	-	-	-	a=f1	b=f2
		1.000000000	loc2	e	-	-	-	a=f2	b=f1
		2.000000000	loc1	e	-	-	-	a=f3	b=f4
	END
	trace-derive 'a = alias(a, "f")' 'b = alias(b, "f")' 'loc = alias(loc)' in | same want -
	status_is 2 trace-derive --chunk 1/2 'a = alias(a)' in
	has "$stderr" 'need all previous events'
	awk 'BEGIN { for (i = 0; i < 300000; i++) printf "%d.0\tl\te\t-\t-\t-\tn=x%d\n", i, i * 7919 % 5000 }' > big
	trace-derive -j 1 'n = alias(n)' big > one
	trace-derive -j 4 'n = alias(n)' big | same one -
	awk -F'\t' '{ if (!($7 in n)) n[$7] = ++k; print "n=n" n[$7] }' big > want
	cut -f 7 one | same want -
}

@test "system calls: names in quotes and between < and >, not numbers and flags" {
	printf '1700000000.000001 openat(AT_FDCWD, "/home/ann/a\\"b.c", O_RDONLY|O_CLOEXEC) = 3</home/ann/a> <0.000010>\n1700000000.000101 read(3</home/ann/a>, "secret"..., 832) = 6 <0.000010>\n' > s.log
	trace-anonymise -O columns=strace s.log > out
	cat > want <<-'END'
		args=AT_FDCWD,\x20"name1",\x20O_RDONLY|O_CLOEXEC	ret=3<name2>
		args=3<name2>,\x20"name3"...,\x20832	ret=6
	END
	cut -f 7- out | same want -
}

@test "delimited text: texts that are no numbers are names; --keep and --also" {
	printf 'time,host,user,bytes,ver,state,ip\n1,web1,ann,10,2.7.0,ok,10.0.0.1\n2,web2,bob,20,2.7.0,ok,10.0.0.2\n' > a.csv
	layout='columns=event=row time=$time loc=$host size=$bytes user=$user ver=$ver state=$state ip=$ip'
	cat > want <<-'END'
		loc1	10	user=user1	ver=2.7.0	state=ok	ip=ip1
		loc2	20	user=user2	ver=2.7.0	state=ok	ip=ip2
	END
	trace-anonymise -O "$layout" a.csv | cut -f 2,5,7- | same want -
	cat > want <<-'END'
		web1	event1	user=ann	ver=2.7.0	state=ok	ip=ip1
	END
	trace-anonymise --keep user,loc --also event -O "${layout/event=row/event=\$state}" a.csv | cut -f 2,3,7- | sed 1q | same want -
}

@test "keys that are none, and parts" {
	printf short > key
	status_is 2 trace-anonymise --key-file key "$FIX/charisma/cm5.chr"
	has "$stderr" '^trace-anonymise: key: a key has 16 bytes or 32 hexadecimal digits'
	status_is 2 trace-anonymise --key-file none "$FIX/charisma/cm5.chr"
	has "$stderr" '^trace-anonymise: none: No such file'
	status_is 2 trace-anonymise --chunk 1/2 "$FIX/spc/Financial1-head.spc"
	has "$stderr" '^trace-anonymise: --chunk needs --key-file'
	printf 0123456789abcdef > key
	for k in 1 2; do trace-anonymise -t --key-file key --chunk $k/2 "$FIX/charisma/cm5.chr"; done > parts
	trace-anonymise -t --key-file key "$FIX/charisma/cm5.chr" | same parts -
	status_is 2 trace-derive 'x = hash(file, file)' "$FIX/laplace/seed.kern"
	has "$stderr" 'a key is the name of a file'
	[ "$(trace-anonymise --map map "$FIX/charisma/cm5.chr" > /dev/null; stat -c %a map)" = 600 ]
}

@test "an error in the input leaves no name of a file in the stream" {
	head -c 3000 "$FIX/charisma/cm5.chr" > secret.chr
	trace-anonymise -H secret.chr > out 2> err || [ $? = 2 ]
	grep -q '^##error' out
	run ! grep -a secret out
}

@test "logs of hosts and of system calls: no name is left, and the same gaps, sizes and events" {
	printf 0123456789abcdef > key
	printf '%s\n' '128166372003061629,web-3,0,Read,4096,512,1200' '128166372016382155,web-4,1,Write,512,4096,700' \
		'128166372016382200,10.0.0.7,1,Write,0,4096,700' > hosts.csv
	cat > strace.out <<-'END'
		7 1700000000.1 openat(AT_FDCWD, "/home/ann/my thesis.tex", O_RDONLY) = 3 <0.002>
		7 1700000000.2 execve("/bin/sh", ["sh", "-c", "cat /home/ann/key"], 0x7ff) = 0 <0.002>
		7 1700000000.9 read(3, "To whom it\11may", 4096) = 10 <0.7>
	END
	for f in hosts.csv strace.out; do
		for o in '' '--key-file key'; do
			# shellcheck disable=SC2086  # two words or none
			trace-anonymise -H $o "$f" > public
			run ! grep -aE 'ann|thesis|/bin|whom|web|10\.0\.0' public
			trace-filter -F 'time - prev.time,event,addr,size,dur' -k '' 'event?' public > got
			trace-filter -F 'time - prev.time,event,addr,size,dur' -k '' 'event?' "$f" | same got -
		done
	done
	[ "$(wc -l < got)" = 3 ]
	printf another-key-of16 > other
	for k in key other; do trace-anonymise --key-file $k "$FIX/laplace/k32-excerpt.kern" | grep -o 'file=.*' | sort -u > $k.names; done
	[ -s key.names ]
	[ "$(sort key.names other.names | uniq -d | wc -l)" = 0 ]
}

#!/usr/bin/env bats
# install.bats - what make install and make dist make.

load ../helpers

setup() {
	need_native
	enter
}

installed() {
	make -s -C "$ROOT" install DESTDIR="$PWD/root" PREFIX=/usr > /dev/null
}

@test "make install: programs, pages and completion of each; make uninstall leaves nothing" {
	installed
	for p in $(programs); do
		[ -x "root/usr/bin/$p" ]
		[ -s "root/usr/share/man/man1/$p.1" ]
		[ -s "root/usr/share/bash-completion/completions/$p" ]
		[ -s "root/usr/share/zsh/site-functions/_$p" ]
	done
	# The samples of the pages' examples are there, and the Makefile of spoor-make(7).
	[ "$(trace-stats -a count root/usr/share/doc/spoor/examples/Financial1.spc | tail -n 1)" = 161 ]
	grep -q '^out/made.txt:' root/usr/share/doc/spoor/examples/Makefile
	[ -s root/usr/share/doc/spoor/README.md ]
	make -s -C "$ROOT" uninstall DESTDIR="$PWD/root" PREFIX=/usr
	# Nothing, and no folder but those that others had before.
	[ "$(find root)" = root ]
	mkdir -p root/usr/share/man/man1 root/usr/share/zsh
	touch root/usr/share/man/man1/other.1 root/usr/share/zsh/other
	find root | sort > want
	installed
	[ "$(wc -c < root/usr/bin/trace-stats)" -lt "$(wc -c < "$BIN/trace-stats")" ]
	make -s -C "$ROOT" uninstall DESTDIR="$PWD/root" PREFIX=/usr
	find root | sort | same want -
}

# bash_offers WORD...: what the completion of that command line offers, a line each.
bash_offers() {
	# shellcheck disable=SC2016
	bash -c 'source "root/usr/share/bash-completion/completions/$1"
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		"$(complete -p "$1" | sed "s/.*-F \([^ ]*\) .*/\1/")"
		printf "%s\n" "${COMPREPLY[@]}"' _ "$@"
}

completes_in_bash() {
	# Every option of --help, and no other.
	"$1" --help | sed -n 's/^  \(-.,\|   \) --\([a-z0-9-]*\).*/--\2/p' | sort > want
	bash_offers "$1" -- | sort | same want -
	bash_offers "$1" --vers | same - <(echo --version)
	touch 'a file'
	bash_offers "$1" 'a f' | same - <(echo 'a file')
	bash_offers "$1" -o 'a f' | same - <(echo 'a file')
	case $1 in trace-*) ;; *) return 0 ;; esac # decoders have one format
	! has_option "$1" -f || bash_offers "$1" -f bin | same - <(echo binary)
	! has_option "$1" -f || bash_offers "$1" --format = bin | same - <(echo binary)
	! has_option "$1" -O || bash_offers "$1" -O un | same - <(echo unordered)
	! has_option "$1" -O || bash_offers "$1" --option = layo | same - <(echo layout=)
}
@test "bash completes every option, formats and files" {
	installed
	each completes_in_bash
}

completes_in_zsh() {
	zsh -n "root/usr/share/zsh/site-functions/_$1"
	# What _arguments is called with, by a stand-in.
	zsh -c '_arguments() { print -rl -- "$@" }; source "root/usr/share/zsh/site-functions/_$1"' _ "$1" > got
	"$1" --help | sed -n 's/^  \(-.,\|   \) --\([a-z0-9-]*\).*/--\2/p' | sort > want
	sed -n 's/^[^[]*\(--[a-z0-9-]*[a-z0-9]\)[=-]*\[.*/\1/p' got | sort | same want -
	# Through zsh itself.
	HOME=$PWD zsh -fc 'autoload -U compinit; fpath=(root/usr/share/zsh/site-functions $fpath); compinit -D -u
		[[ ${_comps[$1]} == _$1 ]]' _ "$1"
}
@test "zsh completes every option" {
	command -v zsh >/dev/null || skip "zsh is not installed"
	installed
	each completes_in_zsh
}

# The tree's files as somebody else has them, with another umask.
copy_of_tree() {
	mkdir "$1"
	(cd "$ROOT" && tar -cf - --exclude=./build --exclude=./bin --exclude=./.git .) |
		(cd "$1" && umask "$2" && tar -xf - --no-same-permissions)
}
@test "make dist: the same bytes in any directory, time zone, language and umask, and the same tree" {
	tar --version 2>/dev/null | grep -q GNU || skip "no GNU tar"
	copy_of_tree one 022
	copy_of_tree other 077
	export SOURCE_DATE_EPOCH=1500000000
	make -s -C one dist > a
	touch other/README.md
	(umask 077 && TZ=Asia/Tokyo LC_ALL=C.UTF-8 make -s -C other dist) > b
	same a b
	cmp one/build/spoor-*.tar.gz other/build/spoor-*.tar.gz
	# Of the unpacked tree too, which says itself of when it is.
	unset SOURCE_DATE_EPOCH
	tar -xzf one/build/spoor-*.tar.gz
	make -s -C spoor-* dist | same a -
	diff -r -x build one spoor-*
	for dir in common cmd man tests; do
		diff -r -x build "$ROOT/$dir" "$(echo spoor-*)/$dir"
	done
	[ ! -e "$(echo spoor-*)/bin" ]
}

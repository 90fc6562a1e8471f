#!/bin/sh
# completion.sh SHELL PROGRAM: the completion of a program's command line for bash or zsh, made of the
# program's own table of options (PROGRAM --complete).
set -eu
shell=$1
name=$(basename "$2")
"$2" --complete | awk -F '\t' -v shell="$shell" -v name="$name" '
# What an argument may be: a list of words, "files", or nothing that could be offered.
function values(arg, list) {
	if (list != "") return list
	if (arg == "FILE") return "files"
	gsub(/\[|\]|=/, "", arg)
	return arg ~ /^[a-z]+$/ ? arg : ""
}
function quoted(s, also) { # for a word in single quotes
	gsub(/\047/, "\047\\\047\047", s)
	if (also) gsub(/\[|\]|:/, "\\\\&", s)
	return s
}
NR == 1 { operands = $3; first = $5; next }
{
	# Of NAME=WORD the words are offered when NAME= is there.
	if ($5 ~ /=[^ ]/ && shell == "bash") {
		m = split($5, word, " ")
		for (i = 1; i <= m; i++) {
			eq = index(word[i], "=")
			if (eq && eq < length(word[i])) {
				key = substr(word[i], 1, eq)
				if (!(key in behind)) keys[++nkeys] = key
				behind[key] = behind[key] " " substr(word[i], eq + 1)
				word[i] = ""
			}
		}
		$5 = ""
		for (i = 1; i <= m; i++) if (word[i] != "") $5 = $5 ($5 == "" ? "" : " ") word[i]
	}
	letter[++n] = $1; long[n] = $2; arg[n] = $3; help[n] = $4
	value[n] = $3 == "" ? "" : values($3, $5)
	list[n] = $6
	optional[n] = $3 ~ /^\[/
}
END {
	fn = name
	gsub(/[^a-z0-9]/, "_", fn)
	if (shell == "bash") {
		print "# bash completion for " name
		print "_" fn "() {"
		print "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} list= IFS=$\047\\n\047"
		# --format=bin is three words to bash. What may be left out stands behind a = only.
		print "\tif [ \"$cur\" = = ]; then cur= prev=$prev=; elif [ \"$prev\" = = ]; then prev=${COMP_WORDS[COMP_CWORD-2]}=; fi"
		print "\tCOMPREPLY=()"
		print "\tcase $prev in"
		for (i = 1; i <= n; i++) {
			if (arg[i] == "") continue
			words = value[i]
			gsub(/ /, "\\n", words)
			printf "\t%s%s) ", (optional[i] ? "" : letter[i] != "" ? letter[i] " | " long[i] " | " : long[i] " | "), long[i] "="
			# Of a list, what stands behind the last comma; a quote before it is the shell\047s.
			if (list[i] != "")
				printf "cur=${cur#[\\\047\\\"]}; case $cur in *,*) list=${cur%%,*}, ;; esac; compopt -o nospace 2>/dev/null; "
			printf "%sreturn ;;\n", \
				words == "files" ? "COMPREPLY=($(compgen -f -- \"$cur\")); " : \
				words != "" ? "COMPREPLY=($(compgen -P \"$list\" -W $\047" words "\047 -- \"${cur##*,}\")); " \
				(words ~ /=/ ? "[[ ${COMPREPLY-} != *= ]] || compopt -o nospace 2>/dev/null; " : "") : ""
		}
		for (i = 1; i <= nkeys; i++) {
			words = substr(behind[keys[i]], 2)
			gsub(/ /, "\\n", words)
			printf "\t%s) COMPREPLY=($(compgen -W $\047%s\047 -- \"$cur\")); return ;;\n", keys[i], words
		}
		print "\tesac"
		print "\tcase $cur in"
		printf "\t-*) COMPREPLY=($(compgen -W $\047"
		for (i = 1; i <= n; i++) printf "%s%s", (i > 1 ? "\\n" : ""), (letter[i] != "" ? letter[i] "\\n" : "") long[i]
		print "\047 -- \"$cur\")) ;;"
		words = first
		gsub(/ /, "\\n", words)
		if (words != "")
			print "\t*) [ $COMP_CWORD != 1 ] || COMPREPLY=($(compgen -W $\047" words "\047 -- \"$cur\"))\n" \
				"\t\t[ \"$COMPREPLY\" ] || COMPREPLY=($(compgen -f -- \"$cur\")) ;;"
		else print "\t*) COMPREPLY=($(compgen -f -- \"$cur\")) ;;"
		print "\tesac"
		print "}"
		print "complete -o filenames -F _" fn " " name
		exit
	}
	print "#compdef " name
	print "# zsh completion for " name
	print "_arguments -S \\"
	for (i = 1; i <= n; i++) {
		text = "[" quoted(help[i], 1) "]"
		what = ""
		if (arg[i] != "") {
			words = value[i]
			what = (optional[i] ? "::" : ":") quoted(tolower(arg[i]), 1) ":" \
				(words == "files" ? "_files" : words == "" ? "" : \
				list[i] != "" ? "_sequence compadd - " words : \
				words ~ /=/ ? " compadd -S \"\" - " words : "(" words ")")
		}
		eq = arg[i] == "" ? "" : optional[i] ? "=-" : "="
		if (letter[i] == "")
			printf "\t\047%s%s%s%s\047 \\\n", long[i], eq, text, what
		else
			printf "\t\047(%s %s)\047{%s%s,%s%s}\047%s%s\047 \\\n", letter[i], long[i], letter[i], \
				(arg[i] == "" ? "" : "+"), long[i], eq, text, what
	}
	if (first != "" || operands ~ /^[A-Z]/) {
		what = operands
		sub(/ .*/, "", what)
		gsub(/[^A-Z]/, "", what)
		printf "\t\0471:%s:%s\047 \\\n", tolower(what), \
			(first == "" ? "" : operands ~ /^\[/ ? "{compadd - " first "; _files}" : "(" first ")")
	}
	print "\t\047*:file:_files\047"
}'

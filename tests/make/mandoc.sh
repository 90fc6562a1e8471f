#!/bin/sh
# What mandoc says about the man pages; silent, and status 0, when all is well. The pages are laid
# out as they will be installed, so that references between them are followed.
set -eu
cd "$(dirname "$0")/../.."
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
for s in 1 5 7; do
	mkdir "$tree/man$s"
	cp man/*."$s" "$tree/man$s/"
done
# That the database of the tree is not up to date is said of a tree, not of a page.
# Our pages have EXAMPLES before DESCRIPTION, where mandoc expects it at the end.
MANPATH=$tree mandoc -Tlint -Wstyle man/*.[157] 2>&1 |
	sed '/^mandoc: outdated mandoc.db /d; /: sections out of conventional order: Sh DESCRIPTION$/d' > "$tree/said"
cat "$tree/said"
[ ! -s "$tree/said" ]

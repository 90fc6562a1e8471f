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
# Two messages are dropped: the database concerns the tree, not a page; and pages show examples before their DESCRIPTION.
MANPATH=$tree mandoc -Tlint -Wstyle man/*.[157] 2>&1 |
	sed -e '/^mandoc: outdated mandoc.db /d' -e '/ sections out of conventional order: Sh DESCRIPTION$/d' > "$tree/said"
cat "$tree/said"
[ ! -s "$tree/said" ]

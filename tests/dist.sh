#!/bin/sh
# make dist: spoor-VERSION.tar.gz in build/. The same sources give the same bytes. Needs GNU tar.
# Times are SOURCE_DATE_EPOCH, or that of the last commit.
set -eu
cd "$(dirname "$0")/.."
name=spoor-$1
mkdir -p build
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
	epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
	git ls-files -z > build/dist.files
else
	epoch=${SOURCE_DATE_EPOCH:-0}
	find . -type f ! -path './build/*' ! -path './bin/*' ! -path './.git/*' -print0 | sed -z 's|^\./||' > build/dist.files
fi
LC_ALL=C sort -z -o build/dist.files build/dist.files
tar --no-recursion --format=ustar --mtime="@$epoch" --owner=0 --group=0 \
	--numeric-owner --mode=u+rw,go+r,go-w --transform="s|^|$name/|" -cf "build/$name.tar" \
	--null --files-from=build/dist.files
gzip -9nf "build/$name.tar"
sha256sum "build/$name.tar.gz"

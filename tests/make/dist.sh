#!/bin/sh
# make dist: spoor-VERSION.tar.gz in build/. The same sources give the same bytes. Needs GNU tar.
# Times are SOURCE_DATE_EPOCH, or that of the last commit; in an unpacked one that of its newest file, which
# is the same.
set -eu
cd "$(dirname "$0")/../.."
name=spoor-$1
mkdir -p build
# A tree within somebody else's repository is none.
if [ ! "$(git rev-parse --show-prefix 2>/dev/null || echo none)" ]; then
	epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
	git ls-files -z > build/dist.files
else
	find . -type f ! -path './build/*' ! -path './bin/*' ! -path './.git/*' -print0 | sed -z 's|^\./||' > build/dist.files
	epoch=${SOURCE_DATE_EPOCH:-$(xargs -0 stat -c %Y < build/dist.files | sort -n | tail -1)}
fi
LC_ALL=C sort -z -o build/dist.files build/dist.files
tar --no-recursion --format=ustar --mtime="@$epoch" --owner=0 --group=0 \
	--numeric-owner --mode=a+rX,u+w,go-w --transform="s|^|$name/|" -cf "build/$name.tar" \
	--null --files-from=build/dist.files
gzip -9nf "build/$name.tar"
sha256sum "build/$name.tar.gz"

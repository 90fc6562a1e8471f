#!/bin/sh
# make deb: a Debian package in build/, made of `make dist` and `make install`. The directory debian/
# that its tools ask for exists only while it is made. Then lintian, where it is installed, must be
# quiet, and the package is tried in a root of its own that holds nothing but the C library.
# MAINTAINER, as "Name <address>", is who makes it; without it the address is one of this machine, and
# what lintian says of that is not asked for.
set -eu
cd "$(dirname "$0")/../.."
version=$1
name=spoor
command -v dpkg-deb >/dev/null || { echo 'deb: dpkg-deb is not installed' >&2; exit 2; }
maintainer=${MAINTAINER:-the spoor authors <spoor@$(hostname -f 2>/dev/null || hostname)>}
sh tests/make/dist.sh "$version" > /dev/null
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(tar -tvzf "build/$name-$version.tar.gz" --full-time --utc |
	awk 'NR == 1 { print $4 "T" $5 "Z" }' | xargs date +%s -d)}
export SOURCE_DATE_EPOCH
umask 022
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
tar -xzf "build/$name-$version.tar.gz" -C "$work"
cd "$work/$name-$version"

cflags=$(dpkg-buildflags --get CFLAGS 2>/dev/null || echo '-O2 -g')
cppflags=$(dpkg-buildflags --get CPPFLAGS 2>/dev/null || :)
ldflags=$(DEB_BUILD_MAINT_OPTIONS=hardening=+bindnow dpkg-buildflags --get LDFLAGS 2>/dev/null || :)
${MAKE:-make} -s CFLAGS="$cflags" CPPFLAGS="$cppflags" LDFLAGS="$ldflags" all
${MAKE:-make} -s CFLAGS="$cflags" CPPFLAGS="$cppflags" LDFLAGS="$ldflags" install \
	DESTDIR="$root" PREFIX=/usr ZSHDIR=/usr/share/zsh/vendor-completions > /dev/null
strip --remove-section=.comment --remove-section=.note "$root"/usr/bin/*
find "$root/usr/share/man" -type f -exec gzip -9n {} +
doc=$root/usr/share/doc/$name
mkdir -p "$doc"
cp README.md "$doc/"
date=$(date -u -R -d "@$SOURCE_DATE_EPOCH")
{
	printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n'
	printf 'Upstream-Name: %s\n\nFiles: *\n' "$name"
	sed -n 's/^Copyright (c) /Copyright: /p;' LICENSE | head -1
	printf 'License: ISC\n'
	sed '1,/^Copyright/d;s/^$/./;s/^/ /' LICENSE | sed '1{/^ \.$/d;}'
} > "$doc/copyright"
printf '%s (%s) unstable; urgency=medium\n\n  * Version %s.\n\n -- %s  %s\n' \
	"$name" "$version" "$version" "$maintainer" "$date" | gzip -9n > "$doc/changelog.gz"

# The versions of the libraries that the programs need.
mkdir debian
cat > debian/control <<EOF
Source: $name
Section: utils
Priority: optional
Maintainer: $maintainer

Package: $name
Architecture: any
Description: x
EOF
depends=$(dpkg-shlibdeps -O "$root"/usr/bin/* 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
mkdir "$root/DEBIAN"
cat > "$root/DEBIAN/control" <<EOF
Package: $name
Version: $version
Architecture: $(dpkg --print-architecture)
Maintainer: $maintainer
Installed-Size: $(du -ks "$root/usr" | cut -f1)
Depends: ${depends:-libc6}
Section: utils
Priority: optional
Description: read, filter and count trace files
 Small programs for pipes that decode traces of block I/O (SPC), memory
 references (Laplace), task runtimes (ovni), MPI (DUMPI) and parallel file
 systems (CHARISMA) into events, one a line; filter them by expressions; and
 count, sum and describe them by any field.
EOF
(cd "$root" && find usr -type f -exec md5sum {} + | LC_ALL=C sort -k2 > DEBIAN/md5sums)
find "$root" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
cd "$OLDPWD"
deb=build/${name}_${version}_$(dpkg --print-architecture).deb
dpkg-deb --root-owner-group -Zxz --build "$root" "$deb" > /dev/null
sha256sum "$deb"

if command -v lintian >/dev/null; then
	suppress=
	[ "${MAINTAINER:-}" ] || suppress=bogus-mail-host,bogus-mail-host-in-debian-changelog
	# shellcheck disable=SC2086
	lintian --allow-root --fail-on=error,warning,info ${suppress:+--suppress-tags $suppress} "$deb" || { echo 'deb: lintian is not quiet' >&2; exit 1; }
	echo 'lintian is quiet'
else
	echo 'deb: lintian is not installed: skipped' >&2
fi
if [ "$(id -u)" = 0 ]; then
	# A root with the package and what its dependencies bring.
	try=$work/try
	mkdir -p "$try"
	dpkg-deb -x "$deb" "$try"
	for lib in $(ldd "$try"/usr/bin/* | sed -n 's/.*[ \t]\(\/[^ ]*\) (0x.*/\1/p' | sort -u); do
		mkdir -p "$try$(dirname "$lib")"
		cp "$lib" "$try$lib"
	done
	for p in "$try"/usr/bin/*; do
		chroot "$try" "/usr/bin/${p##*/}" --version > /dev/null
	done
	printf '0,1,512,r,0.5\n' | chroot "$try" /usr/bin/spc-cat -b | chroot "$try" /usr/bin/trace-filter -t size=512 |
		grep -qx '0.500000000	0	R	1	512	-'
	echo 'it runs in a root of its own'
fi

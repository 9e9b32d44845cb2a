#!/usr/bin/env bash
# Makes a Debian package of the directory that `dist.sh` packs; prints the name of its file.
#
# usage: packaging/deb.sh TREE VERSION TARGET OUT
#
# By `dpkg-deb`, which every Debian has, and not by `cargo-deb`: the package holds just what the archive holds, which is made
# already, and one tool less has to be installed and pinned for the same bytes.
set -euo pipefail
tree=$1 version=$2 target=$3 out=$4

case $target in
  x86_64-*) architecture=amd64 ;;
  aarch64-*) architecture=arm64 ;;
  *) echo "deb.sh: no Debian architecture is known for $target" >&2 && exit 1 ;;
esac
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"

share=$root/usr/share
doc=$share/doc/referee
install -D -m 755 "$tree/referee" "$root/usr/bin/referee"
install -D -m 644 "$tree/completions/referee.bash" "$share/bash-completion/completions/referee"
install -D -m 644 "$tree/completions/_referee" "$share/zsh/vendor-completions/_referee"
install -D -m 644 "$tree/completions/referee.fish" "$share/fish/vendor_completions.d/referee.fish"
install -d -m 755 "$share/man" "$doc"
cp -R "$tree/man/man1" "$share/man/man1"
gzip -9n "$share/man/man1"/*
# Everything else keeps its place, so that the links of the pages hold.
cp -R "$tree/." "$doc"
rm -r "$doc"/{referee,completions,man}
gzip -9nc "$tree/CHANGELOG.md" >"$doc/changelog.gz"
{
  echo 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/'
  echo
  echo 'Files: *'
  echo 'Copyright: the authors of referee'
  echo 'License: Expat or Apache-2.0'
  echo ' On Debian systems, the Apache license is in /usr/share/common-licenses/Apache-2.0. The other text is below.'
  echo ' Licenses of the libraries in the binary are in THIRD-PARTY.txt.'
  echo ' .'
  sed 's/^$/./; s/^/ /' "$tree/LICENSE-MIT"
} >"$doc/copyright"

mkdir -m 755 "$root/DEBIAN"
size=$(du --apparent-size -sk "$root/usr" | cut -f1)
cat >"$root/DEBIAN/control" <<CONTROL
Package: referee
Version: $version
Architecture: $architecture
Maintainer: the referee contributors <${DEBEMAIL:-noreply@referee.invalid}>
Installed-Size: $size
Suggests: python3, g++, default-jdk-headless
Section: education
Priority: optional
Description: play, judge and grade games between agent programs
 Runs each move of a game-playing agent as a separate process, measures the CPU
 time of its process tree, judges the answer by the rules of the game, and
 records everything needed to check the result later. For courses whose homework
 is such an agent: grading, class competitions and checks before handing in.
CONTROL
# Times of files are part of the archive.
find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
file=referee_${version}_$architecture.deb
dpkg-deb --root-owner-group -Zxz --build "$root" "$out/$file" >/dev/null
echo "$file"

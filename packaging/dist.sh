#!/usr/bin/env bash
# Makes what a release consists of, in `dist/`:
#
#   referee-VERSION-TARGET.tar.gz   one static binary, manual pages, completions, licences, documentation, examples, and
#                                   in BUILD.txt the commit and the toolchain
#   referee_VERSION_ARCH.deb        the same for Debian and Ubuntu, if `dpkg-deb` is installed
#   referee_games-VERSION-*.whl     the binary for `pip install`
#   SHA256SUMS-TARGET
#
# usage: packaging/dist.sh [--without-site] [TARGET]
#
# TARGET is the host, or `aarch64-unknown-linux-gnu` from x86-64: with `rustup target add` of it and gcc-aarch64-linux-gnu.
# The same commit, toolchain and target give the same bytes, in any directory and at any time. Needs Python 3, and mdbook for
# the documentation. The binary must be smaller than 9 MB. Environment:
#
#   OUT                 output directory [default: dist]
#   REFEREE_BINARY      pack this binary instead of building one
#   REFEREE_NATIVE      binary that writes pages and completions, if that of TARGET does not run here
#   DEBEMAIL            address of the maintainer in the .deb [default: noreply@referee.invalid, which nobody reads]
#   SOURCE_DATE_EPOCH   date of all files [default: that of the commit]
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C TZ=UTC
umask 022

site=yes
if [ "${1:-}" = --without-site ]; then
  site=no
  shift
fi
host=$(rustc -vV | sed -n 's/^host: //p')
target=${1:-$host}
out=${OUT:-dist}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
name=referee-$version-$target

fail() {
  echo "dist.sh: $1" >&2
  exit 1
}
case $target in
  x86_64-*-linux-* | aarch64-*-linux-*) ;;
  *) fail "the target $target is not supported: use x86_64-unknown-linux-gnu or aarch64-unknown-linux-gnu" ;;
esac
if [ "$site" = yes ]; then
  command -v mdbook >/dev/null ||
    fail 'mdbook is missing: `cargo install mdbook --locked`, or `packaging/dist.sh --without-site`'
fi

# No path of this machine is in the binary: it would differ from folder to folder.
build() {
  local home=${CARGO_HOME:-$HOME/.cargo} sysroot smaller=()
  sysroot=$(rustc --print sysroot)
  [ -d "$sysroot/lib/rustlib/$target" ] ||
    fail "the standard library for $target is missing: \`rustup target add $target\`"
  # The compiler of this machine cannot link for the other processor.
  if [ "$target" = aarch64-unknown-linux-gnu ] && [ "$host" != "$target" ]; then
    command -v aarch64-linux-gnu-gcc >/dev/null ||
      fail "a linker for $target is missing: install aarch64-linux-gnu-gcc (Debian: gcc-aarch64-linux-gnu)"
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=${CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER:-aarch64-linux-gnu-gcc}
  fi
  # Identical functions are there once, and there are no tables for unwinding. Only the linker that Rust brings can do that,
  # and only for this target it is used: GNU's needs the tables of its start files.
  [ "$target" != x86_64-unknown-linux-gnu ] ||
    smaller=(-Clink-arg=-Wl,--icf=all -Clink-arg=-Wl,-T,packaging/no_unwinding.ld -Clink-arg=-Wl,--no-eh-frame-hdr)
  CARGO_ENCODED_RUSTFLAGS=$(printf '%s\x1f' "--remap-path-prefix=$PWD=/referee" "--remap-path-prefix=$home=/cargo" \
    "--remap-path-prefix=$sysroot=/rust" -Ctarget-feature=+crt-static -Cforce-unwind-tables=no \
    -Clink-arg=-Wl,--build-id=none -Clink-arg=-Wl,-z,pack-relative-relocs)
  # Equal pieces of code are there once if that saves 40 bytes: with every piece, searches would take up to 1.7 times as long.
  # Cargo's own `strip` leaves the names in a package with settings of its own.
  CARGO_ENCODED_RUSTFLAGS=${CARGO_ENCODED_RUSTFLAGS%$'\x1f'} \
    cargo rustc --locked --package referee --bin referee --profile dist --target "$target" -- -Cllvm-args=-inline-threshold=0 \
    -Cllvm-args=-enable-machine-outliner=always -Cllvm-args=-outliner-benefit-threshold=40 -Cstrip=symbols "${smaller[@]}"
}

binary=${REFEREE_BINARY:-}
if [ -z "$binary" ]; then
  build
  binary=${CARGO_TARGET_DIR:-target}/$target/dist/referee
fi
size=$(stat --dereference --format=%s "$binary")
[ "$size" -lt 9000000 ] ||
  fail "the binary \`$binary\` has $size bytes, but must have fewer than 9,000,000"

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
tree=$stage/$name
mkdir -p "$tree/bin" "$tree/man/man1" "$tree/completions" "$out"
cp "$binary" "$tree/bin/referee"

# By its name alone, so that completions find the binary where it is installed.
native() { PATH=${REFEREE_NATIVE:+$(dirname "$REFEREE_NATIVE"):}$tree/bin:$PATH referee "$@"; }
native --version >/dev/null || fail "the binary for $target does not run here: name one that does in REFEREE_NATIVE"
native man --out "$tree/man/man1"
native completions bash >"$tree/completions/referee.bash"
native completions zsh >"$tree/completions/_referee"
native completions fish >"$tree/completions/referee.fish"
mv "$tree/bin/referee" "$tree/referee"
rmdir "$tree/bin"

# Committed files only: no caches, no results. What users look for at the top of the archive lies there.
packaging/pages.sh packaging/containers packaging/CITATION.cff results |
  tar --create --null --files-from=- --transform 's|^packaging/containers/devcontainer|.devcontainer/devcontainer|' \
    --transform 's|^packaging/||' |
  tar --extract --directory "$tree"
packaging/third_party.py "$target" >"$tree/THIRD-PARTY.txt"
{
  echo "commit: $(git rev-parse HEAD)"
  echo "target: $target"
  [ -z "${REFEREE_BINARY:-}" ] || echo "referee: built elsewhere, so perhaps not by this compiler"
  rustc --verbose --version
  if [ "$site" = yes ]; then
    mdbook --version
    packaging/site.sh "$tree/docs/html" >&2
  fi
} >"$tree/BUILD.txt"
find "$tree" -type d -exec chmod 755 {} +
find "$tree" -type f -exec chmod u=rwX,go=rX {} +

tarball=$out/$name.tar.gz
tar --create --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=gnu \
  --directory "$stage" "$name" | gzip -9n >"$tarball"

packed=("$name.tar.gz" "$(packaging/wheel.py "$tree" "$version" "$target" "$out")")
if command -v dpkg-deb >/dev/null; then
  packed+=("$(packaging/deb.sh "$tree" "$version" "$target" "$out")")
fi
(cd "$out" && sha256sum "${packed[@]}" | tee "SHA256SUMS-$target")

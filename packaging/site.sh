#!/usr/bin/env bash
# Makes the documentation as a site that can be read offline: README, the pages under `docs/` and what they refer to.
#
# usage: packaging/site.sh OUT
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "$1"
out=$(cd "$1" && pwd)

book=$(mktemp -d)
trap 'rm -rf "$book"' EXIT
mkdir "$book/src"
cp packaging/book.toml "$book"
packaging/pages.sh ':!docs/SUMMARY.md' | tar --create --null --files-from=- | tar --extract --directory "$book/src"
# The pages keep their places, so that their links hold. The table of contents lies in `docs/` and mdbook wants it on top.
sed 's|](\.\./|](|; t; s|](\([a-z]\)|](docs/\1|' docs/SUMMARY.md >"$book/src/SUMMARY.md"
mdbook build --dest-dir "$out" "$book"
# mdbook calls the page of a README `index.html`, and leaves links to it as they are.
find "$out" -name '*.html' -exec sed -i 's|\(href="[^":]*\)README\.html|\1index.html|g' {} +
packaging/check_site.py "$out"

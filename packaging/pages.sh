#!/usr/bin/env bash
# Lists what the site and the archive have in common: every page, and every file that a page links to. The names are
# separated by NUL.
#
# usage: packaging/pages.sh [PATHSPEC]...    more files, or with `:!` fewer
set -euo pipefail
cd "$(dirname "$0")/.."
git ls-files -z -- '*.md' docs agents tournaments examples/freckers examples/rules examples/wrappers 'LICENSE-*' "$@"

#!/usr/bin/env python3
"""Prints the licenses of the packages that the binary contains, each text once.

usage: packaging/third_party.py TARGET
"""

import json
import pathlib
import subprocess
import sys
from collections import defaultdict

PREFIXES = ("licen", "copying", "copyright", "notice", "unlicense")


def metadata(target):
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def linked(tree):
    """The packages that are linked into the binary: normal dependencies alone."""
    nodes = {node["id"]: node for node in tree["resolve"]["nodes"]}
    root = tree["resolve"]["root"]
    found, waiting = set(), [root]
    while waiting:
        package = waiting.pop()
        if package in found:
            continue
        found.add(package)
        for dependency in nodes[package]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    found.difference_update(tree["workspace_members"])
    packages = [package for package in tree["packages"] if package["id"] in found]
    # Macros run in the compiler and leave nothing of themselves.
    is_macro = lambda package: any("proc-macro" in target["kind"] for target in package["targets"])
    packages = [package for package in packages if not is_macro(package)]
    return sorted(packages, key=lambda package: (package["name"], package["version"]))


def texts(package):
    folder = pathlib.Path(package["manifest_path"]).parent
    files = [file for file in folder.iterdir() if file.is_file() and file.name.lower().startswith(PREFIXES)]
    return [file.read_text(errors="replace").strip() for file in sorted(files)]


def main():
    packages = linked(metadata(sys.argv[1]))
    print("The binary of referee contains these packages, under these licenses. It also contains the standard library of")
    print("Rust (MIT or Apache-2.0) and, if it is linked statically, the GNU C Library (LGPL-2.1-or-later): `dist.sh` in the")
    print("sources of referee links it anew with any other version.\n")
    users = defaultdict(list)
    for package in packages:
        name = f"{package['name']} {package['version']}"
        print(f"{name}: {package['license'] or 'see below'}")
        for text in texts(package):
            users[text].append(name)
    for text, names in users.items():
        print("\n" + "=" * 80)
        print("\n".join(names) + "\n\n" + text)


main()

#!/usr/bin/env python3
"""Makes a wheel of the directory that `dist.sh` packs, so that `pip install` puts `referee` on the path of a virtual
environment; prints the name of its file.

usage: packaging/wheel.py TREE VERSION TARGET OUT

The wheel holds the same static binary as the archive, byte for byte. So it is not made by maturin, which would compile the
program again; what a wheel without Python code needs is three files of text (the specification "Binary distribution format"
of the Python Packaging Authority). The same tree and SOURCE_DATE_EPOCH give the same bytes.
"""

import base64
import hashlib
import os
import sys
import time
import zipfile
from pathlib import Path

NAME = "referee-games"
SUMMARY = "Play, judge and grade games between agent programs"


def main(tree, version, target, out):
    machine = target.split("-")[0]
    if machine not in ("x86_64", "aarch64"):
        sys.exit(f"wheel.py: no wheel is known for {target}")
    # Static, so it runs with every libc; Linux 4.18 is newer than either tag asks for.
    platforms = [f"manylinux2014_{machine}", f"musllinux_1_1_{machine}"]
    stem = f"{NAME.replace('-', '_')}-{version}"
    info = f"{stem}.dist-info"
    tags = "".join(f"Tag: py3-none-{platform}\n" for platform in platforms)
    files = {
        f"{stem}.data/scripts/referee": (tree / "referee").read_bytes(),
        f"{info}/licenses/LICENSE-MIT": (tree / "LICENSE-MIT").read_bytes(),
        f"{info}/licenses/LICENSE-APACHE": (tree / "LICENSE-APACHE").read_bytes(),
        f"{info}/licenses/THIRD-PARTY.txt": (tree / "THIRD-PARTY.txt").read_bytes(),
        f"{info}/METADATA": metadata(version, (tree / "README.md").read_text(encoding="utf-8")),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: referee\nRoot-Is-Purelib: false\n{tags}".encode(),
    }
    record = "".join(f"{path},sha256={digest(content)},{len(content)}\n" for path, content in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    wheel = f"{stem}-py3-none-{'.'.join(platforms)}.whl"
    date = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
    with zipfile.ZipFile(out / wheel, "w", zipfile.ZIP_DEFLATED) as packed:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if "/scripts/" in path else 0o100644) << 16
            packed.writestr(entry, content)
    print(wheel)


def metadata(version, readme):
    fields = {
        "Metadata-Version": "2.4",
        "Name": NAME,
        "Version": version,
        "Summary": SUMMARY,
        "License-Expression": "MIT OR Apache-2.0",
        "License-File": ["LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY.txt"],
        "Requires-Python": ">=3",
        "Classifier": ["Operating System :: POSIX :: Linux", "Topic :: Education :: Testing", "Topic :: Games/Entertainment"],
        "Description-Content-Type": "text/markdown",
    }
    lines = []
    for key, values in fields.items():
        lines += [f"{key}: {value}" for value in (values if isinstance(values, list) else [values])]
    return ("\n".join(lines) + "\n\n" + readme).encode()


def digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], Path(sys.argv[4]))

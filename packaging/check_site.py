#!/usr/bin/env python3
"""Checks that the links within a site lead to files and headings that exist.

usage: packaging/check_site.py DIRECTORY
"""

import pathlib
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors.update(name for name in (attributes.get("id"), attributes.get("name")) if name)
        self.links += [link for link in (attributes.get("href"), attributes.get("src")) if link]


def fault(pages, page, link, site):
    parts = urlsplit(link)
    if parts.scheme or parts.netloc or link.startswith(("javascript:", "data:")):
        return None
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if target.is_dir() and (target / "index.html").exists():
        target /= "index.html"
    if not target.is_relative_to(site) or not target.exists():
        return f"{page.relative_to(site)}: `{link}` does not exist"
    if parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
        return f"{page.relative_to(site)}: `{link}` names no heading"
    return None


def main():
    site = pathlib.Path(sys.argv[1]).resolve()
    # 404.html is for servers: its links begin at their root.
    files = [file for file in sorted(site.rglob("*.html")) if file.name != "404.html"]
    pages = {file: Page(file.read_text()) for file in files}
    faults = [fault(pages, file, link, site) for file, page in pages.items() for link in page.links]
    faults = sorted({text for text in faults if text})
    for text in faults:
        print(text, file=sys.stderr)
    count = sum(len(page.links) for page in pages.values())
    print(f"{count} links in {len(pages)} pages, {len(faults)} dead", file=sys.stderr)
    sys.exit(1 if faults or not pages else 0)


main()

#!/usr/bin/env python3
"""Compares what the library promises, the declarations of all that its root and `ik` name, with .ci/front.txt, as
`cargo doc` has them. What goes from there, or changes, takes a new major version, or a new minor one below 1.0.

    .ci/front.py [--write]
"""

import difflib
import html
import pathlib
import re
import sys

DOC = pathlib.Path("target/doc/retarget")
LIST = pathlib.Path(__file__).with_name("front.txt")


def plain(code):
    # What a page folds away begins with how much it is.
    code = re.sub(r"Show \d+ (fields|variants|methods|associated items)", "\n", code)
    code = code.replace("<br>", " ").replace("]</div>", "]\n")
    return html.unescape(re.sub(r"<[^>]*>", "", code)).replace("\xa0", " ").strip()


def declarations(page):
    text = page.read_text()
    own = re.search(r'<pre class="rust item-decl"><code>(.*?)</code></pre>', text, re.S)
    yield from plain(own[1]).splitlines()
    # Its own methods; those that traits give it are in other lists.
    methods = re.search(r'id="implementations-list">(.*?)(?=<h2 id="|<script|$)', text, re.S)
    if methods and not page.name.startswith("type."):
        found = re.findall(r'<h4 class="code-header">(.*?)</h4>', methods[1], re.S)
        yield from sorted("    " + " ".join(plain(method).split()) for method in found)


def front():
    # Pages of items that are gone stay in the folder; this list is written anew.
    for page in sorted(set(re.findall(r'href="((?:ik/)?\w+\.\w+\.html)"', (DOC / "all.html").read_text()))):
        kind, name, _ = page.removeprefix("ik/").split(".")
        yield f"# {kind} retarget::{'ik::' if page.startswith('ik/') else ''}{name}"
        yield from filter(str.strip, declarations(DOC / page))


found = "\n".join(front()) + "\n"
if "--write" in sys.argv:
    LIST.write_text(found)
elif found != LIST.read_text():
    diff = difflib.unified_diff(LIST.read_text().splitlines(), found.splitlines(), "promised", "found", lineterm="")
    sys.exit("\n".join(diff) + "\nwhat the library promises changed; .ci/front.py --write keeps it, CHANGELOG.md says it")

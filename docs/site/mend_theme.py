"""mend_theme.py SITE: makes Debian's copy of the theme furo work without a web server.

Its script is a module that imports another, which browsers refuse for files on disk: both become one plain script. Its style sheet takes normalize.css from
a server's /javascript: a copy is put beside it. Where the theme is whole, nothing happens; where one of these is neither, the build ends.
"""

import re
import shutil
import sys
from pathlib import Path

NORMALIZE = "/javascript/normalize.css/normalize.css"


def mend_script(static):
    script = static / "scripts" / "furo.js"
    text = script.read_text(encoding="utf-8")
    imported = re.match(r'import Gumshoe from "\./(gumshoe-patched\.js)";\n', text)
    if imported:
        parts = [(script.parent / imported[1]).read_text(encoding="utf-8"), text[imported.end() :]]
        script.write_text("\n".join(parts), encoding="utf-8")
    if re.search(r"^(import|export)\b", script.read_text(encoding="utf-8"), re.M):
        sys.exit(f"mend_theme.py: {script} is a module, which files on disk cannot load")


def mend_style(static):
    style = static / "styles" / "furo.css"
    text = style.read_text(encoding="utf-8")
    if NORMALIZE not in text:
        return
    source = Path("/usr/share") / NORMALIZE.lstrip("/")
    if not source.exists():
        sys.exit(f"mend_theme.py: {source} is missing (Debian: node-normalize.css)")
    shutil.copyfile(source, style.parent / "normalize.css")
    style.write_text(text.replace(NORMALIZE, "normalize.css"), encoding="utf-8")


if __name__ == "__main__":
    mend_script(Path(sys.argv[1]) / "_static")
    mend_style(Path(sys.argv[1]) / "_static")

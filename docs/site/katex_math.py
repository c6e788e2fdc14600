"""Mathematics as HTML, made while the site is built: KaTeX of Debian (libjs-katex) in one node process. The reader needs no script
and no network; a formula that KaTeX does not understand is a warning, and so an error of the build."""
import json
import os
import pathlib
import shutil
import subprocess

from docutils import nodes
from sphinx.util import logging

log = logging.getLogger(__name__)
katex = pathlib.Path("/usr/share/javascript/katex")
server = """
const katex = require(process.argv[1] + "/katex.min.js");
require("readline").createInterface({input: process.stdin}).on("line", (line) => {
  const {tex, display} = JSON.parse(line);
  let answer;
  try { answer = {html: katex.renderToString(tex, {displayMode: display, throwOnError: true, strict: "ignore"})}; }
  catch (fault) { answer = {fault: String(fault.message)}; }
  process.stdout.write(JSON.stringify(answer) + "\\n");
});
"""
process = None


def render(tex, display):
    global process
    if process is None or process[0] != os.getpid():  # Sphinx forks when it writes in parallel
        process = os.getpid(), subprocess.Popen(["node", "-e", server, str(katex)], stdin=subprocess.PIPE,
                                                stdout=subprocess.PIPE, text=True, encoding="utf-8")
    node = process[1]
    node.stdin.write(json.dumps({"tex": tex, "display": display}) + "\n")
    node.stdin.flush()
    return json.loads(node.stdout.readline())


def put(writer, node, display):
    answer = render(node.astext(), display)
    if "fault" in answer:
        log.warning("KaTeX: %s", answer["fault"], location=node)
    kind = "div" if display else "span"
    writer.body.append(f'<{kind} class="math">{answer.get("html", "")}</{kind}>')


def visit_inline(writer, node):
    put(writer, node, False)
    raise nodes.SkipNode


def visit_block(writer, node):
    put(writer, node, True)
    raise nodes.SkipNode


def copy_style(app, failure):
    """KaTeX's style and its fonts, those that browsers of today use."""
    if failure is not None or app.builder.format != "html":
        return
    target = pathlib.Path(app.outdir) / "_static"
    shutil.copy(katex / "katex.min.css", target)
    (target / "fonts").mkdir(exist_ok=True)
    for font in (katex / "fonts").glob("*.woff2"):
        shutil.copy(font, target / "fonts")


def setup(app):
    app.add_html_math_renderer("katex", (visit_inline, None), (visit_block, None))
    app.add_css_file("katex.min.css")
    app.connect("build-finished", copy_style)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

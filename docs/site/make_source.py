"""make_source.py STICKSLIP FOLDER: the sources of the site. The pages of docs/ keep their places, so that their links hold here and
on any page that shows the repository; beside them come the pages that are made: solvers, interfaces, examples, figures."""
import pathlib
import re
import shutil
import sys

import api_pages
import figures
import python_pages
import solver_pages

top = pathlib.Path(__file__).resolve().parents[2]
here = pathlib.Path(__file__).parent


def examples(folder):
    """One page a program: what its first comment says, and the program."""
    languages = {".cpp": "cpp", ".c": "c", ".f90": "fortran", ".py": "python"}
    pages = []
    for source in sorted((top / "examples").rglob("*.*")):
        if source.suffix not in languages:
            continue
        code = source.read_text()
        words = re.match(r"(?://|/\*|!|#|\"\"\")\s*(?:\d+: )?(.*?)(?:[.\n]|   )", code)[1].strip()
        title = words[:1].upper() + words[1:].rstrip(":")
        page = source.relative_to(top / "examples").with_suffix(".md")
        (folder / page).parent.mkdir(exist_ok=True)
        text = f"# {title}\n\n`{source.relative_to(top)}`\n\n```{languages[source.suffix]}\n{code}```\n"
        (folder / page).write_text(text)
        pages.append(str(page))
    return pages


def as_shell(block):
    """Commands without a prompt are a script, not a session in which all is output."""
    return block[0] if "\n$ " in block[0] else block[0].replace("```console", "```sh", 1)


def to_pages(text):
    """Links to programs of the examples lead to their pages; figures that the build makes stand where a comment asks for them."""
    text = re.sub(r"^```console\n.*?^```$", as_shell, text, flags=re.M | re.S)
    text = re.sub(r"<!-- figure (\w+): (.*?) -->\n", r"\n![\2](figures/made/\1.svg)\n\n*\2*\n", text)
    return re.sub(r"(\]\([^)\s]*?)(\d\d_\w+|from_\w+)\.(?:cpp|c|f90|py)\)", r"\1\2.md)", text)


def tree(caption, pages, depth=1):
    lines = "\n".join(page.removesuffix(".md") for page in pages)
    return f"\n```{{toctree}}\n:maxdepth: {depth}\n:hidden:\n:caption: {caption}\n\n{lines}\n```\n"


def read_contents():
    contents = {}
    for line in (here / "contents.txt").read_text().splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if line.startswith("  "):
            pages.append(line.strip())
        else:
            pages = contents.setdefault(line.strip(), [])
    return contents


def main(stickslip, folder):
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    for part in ("docs", "examples"):
        (folder / part).mkdir(parents=True)
    for page in sorted(top.glob("docs/**/*.md")) + [top / "examples/README.md"] + sorted(top.glob("*.md")):
        if page.is_relative_to(here):
            continue
        target = folder / page.relative_to(top)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(to_pages(page.read_text()))
    shutil.copy(top / "LICENSE", folder)
    shutil.copytree(top / "docs/figures", folder / "docs/figures")
    figures.make(stickslip, folder / "docs/figures/made")

    solver_pages.make(stickslip, folder / "solvers")
    api_pages.make(top / "include/stickslip", folder / "api")
    python_pages.make(stickslip, folder / "api")
    programs = examples(folder / "examples")
    with open(folder / "examples/README.md", "a") as page:
        page.write(tree("Programs", programs).replace(":caption: Programs\n", ""))

    contents = read_contents()
    named = {page for pages in contents.values() for page in pages}
    contents["More"] = sorted(str(page.relative_to(folder)) for page in folder.glob("docs/**/*.md")
                              if str(page.relative_to(folder)) not in named)
    index = (here / "index.md").read_text()
    for caption, pages in contents.items():
        there = [page for page in pages if (folder / page).exists()]
        if there:
            index += tree(caption, there)
    (folder / "index.md").write_text(index)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])

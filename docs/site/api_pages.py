"""Pages of the interfaces from the public headers: what a declaration promises stands above it there, and so it does here."""
import re
import textwrap


def pieces(lines):
    """Blocks between blank lines, as long as no brace is open."""
    block, depth = [], 0
    for line in lines:
        if not line.strip() and depth == 0:
            if block:
                yield block
            block = []
            continue
        block.append(line)
        text = re.sub(r"//.*|/\*.*?\*/|\"[^\"]*\"", "", line)
        depth += text.count("{") - text.count("}")
    if block:
        yield block


def comment(lines):
    """The text of /// lines; what is indented stays as it is."""
    text, inside = [], False
    for line in lines:
        line = re.sub(r"^///? ?", "", line)
        if line.startswith("  ") != inside and line.strip():
            inside = not inside
            text += ["", "```text"] if inside else ["```", ""]
        text.append(line if inside else line.strip())
    if inside:
        text.append("```")
    prose = "\n".join(text)
    return re.sub(r"(?<![`\w])(\w+_\w+(?:\(\))?)(?![`\w])", r"`\1`", prose) if "```" not in prose else prose


def title_of(code):
    found = re.search(r"^(?:class|struct|enum class|enum)\s+(\w+)", code, re.M) or re.search(r"^inline constexpr .*?(\w+) =", code, re.M) or \
        re.search(r"(\w+)\(", code) or re.search(r"using (\w+)", code)
    return found[1] if found else None


def cpp_page(header):
    lines = header.read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if not line.startswith("//"))
    intro = comment(lines[:start])
    body = [line for line in lines[start:] if not re.match(r"#(pragma|include|if|endif|else|define)|(inline )?namespace|}  // namespace", line)]
    text = f"# stickslip/{header.name}\n\n{intro}\n\n```cpp\n#include <stickslip/{header.name}>\n```\n"
    last = None
    for block in pieces(body):
        count = next((i for i, line in enumerate(block) if not line.startswith("//")), len(block))
        code = "\n".join(block[count:]).replace("STICKSLIP_EXPORT ", "")
        code = re.sub(r"\n\n? private:.*?(?=\n};)", "", code, flags=re.S)
        if not code:
            text += "\n" + comment(block) + "\n"
            continue
        if re.fullmatch(r"((class|struct) \w+;\s*)+}?", code.strip()):
            continue
        title = title_of(code)
        if title and title != last:
            text += f"\n## {title}\n"
        last = title
        text += "\n" + comment(block[:count]) + f"\n\n```cpp\n{code}\n```\n"
    return text


def prose(text):
    """The words of a comment of C."""
    words = " ".join(re.sub(r"^/\*\*?|\*/$|\n \* ?", " ", text.strip()).split())
    return re.sub(r"(?<![`\w])((?:stickslip|STICKSLIP)_\w+(?:\(\))?)", r"`\1`", words).replace("[", "\\[")


def declarations(code):
    """Each declaration after its comment; without the export mark, and broken anew where it was long."""
    for words, statement in re.findall(r"(/\*.*?\*/\n)?((?:STICKSLIP_C_EXPORT|typedef)[^{;]*(?:\{.*?\n\}[^;]*)?;)", code, re.S):
        if statement.startswith("STICKSLIP_C_EXPORT"):
            line = " ".join(statement.replace("STICKSLIP_C_EXPORT ", "").split()).replace("( ", "(")
            line = re.sub(r"(?<!,) ", "\0", line)  # broken after commas only
            statement = "\n".join(textwrap.wrap(line, 100, subsequent_indent="    ")).replace("\0", " ")
        yield prose(words), statement


def c_page(header):
    text = header.read_text()
    intro = re.match(r"/\* (.*?) \*/", text, re.S)[1]
    intro = "\n".join(re.sub(r"^ \* ?", "", line) for line in intro.splitlines())
    formula = re.search(r"\n\n(  .*?)\n\n", intro, re.S)[1]
    intro = intro.replace(formula, f"```text\n{textwrap.dedent(formula)}\n```")
    body = text[text.index("extern \"C\" {") + len("extern \"C\" {\n#endif"):text.rindex("#ifdef __cplusplus")]
    page = f"# stickslip/stickslip.h\n\n{intro}\n\n```c\n#include <stickslip/stickslip.h>\n```\n\nHow to begin, with programs: [C and Fortran](../docs/c.md).\n\n## Versions, statuses, messages\n"
    for block in pieces(body.splitlines()):
        code = "\n".join(block)
        heading = re.match(r"/\* -+ (.*?) -+ \*/", code)
        if heading:
            page += f"\n## {heading[1][:1].upper()}{heading[1][1:]}\n"
            continue
        if re.fullmatch(r"/\*.*\*/", code, re.S):
            page += f"\n{prose(code)}\n"
        for words, statement in declarations(code):
            page += (f"\n{words}\n" if words else "") + f"\n```c\n{statement}\n```\n"
    return page


def make(headers, folder):
    (folder / "cpp").mkdir(parents=True)
    rows, names = [], []
    for header in sorted(headers.glob("*.hpp")):
        if header.stem in ("export", "stickslip"):
            continue
        page = cpp_page(header)
        (folder / "cpp" / f"{header.stem}.md").write_text(page)
        declared = ", ".join(f"`{name}`" for name in re.findall(r"^## (\w+)", page, re.M))
        rows.append(f"| [{header.name}](cpp/{header.stem}.md) | {declared} |")
        names.append(header.stem)
    index = "# C++\n\nThe public headers, and nothing else is installed. `#include <stickslip/stickslip.hpp>` takes all of them.\n\n"
    index += "| header | declares |\n| --- | --- |\n" + "\n".join(rows) + "\n\n"
    index += "```{toctree}\n:hidden:\n\n" + "\n".join(f"cpp/{name}" for name in names) + "\n```\n"
    (folder / "cpp.md").write_text(index)
    (folder / "c.md").write_text(c_page(headers / "stickslip.h"))

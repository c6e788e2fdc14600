"""Pages of solvers and options from what the solvers say of themselves: `stickslip list --json`, `stickslip describe --json`."""
import json
import pathlib
import re
import subprocess

top = pathlib.Path(__file__).resolve().parents[2]


def ask(stickslip, *words):
    return json.loads(subprocess.run([stickslip, *words, "--json"], check=True, capture_output=True, text=True).stdout)


def cell(text):
    """Text for a table: marks of Markdown mean themselves, but for `code`."""
    parts = str(text).replace("|", "\\|").replace("\n", " ").split("`")
    parts[::2] = [part.replace("*", "\\*").replace("_", "\\_").replace("[", "\\[").replace("<", "&lt;") for part in parts[::2]]
    return "`".join(parts) or "–"


def code(text):
    return "`" + str(text).replace("|", "\\|") + "`" if text else "–"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def option_table(options):
    return table(["option", "default", "range", "meaning"],
                 [[code(o["name"]), code(o["value"]), cell(o["range"]), cell(o["meaning"])] for o in options])


def option_text(stickslip, name):
    """The options of a family, and those that come with a choice: local=newton has options of its own."""
    own = ask(stickslip, "describe", name)["options"]
    known = {o["name"] for o in own}
    text = option_table(own)
    for option in own:
        for word in option["range"].split(" | ") if " | " in option["range"] else []:
            try:
                deeper = ask(stickslip, "describe", f"{name}({option['name']}={word})")["options"]
            except subprocess.CalledProcessError:
                continue  # a word that goes only with others
            more = [o for o in deeper if o["name"] not in known]
            if more:
                text += f"\nWith `{option['name']}={word}`:\n\n" + option_table(more)
                known |= {o["name"] for o in more}
    return text


def theory_pages():
    """Which page explains a family, from the table of docs/README.md."""
    pages = {}
    for link, words in re.findall(r"^\| \[[^]]+\]\((theory/\w+\.md)\) \| (.*) \|$", (top / "docs/README.md").read_text(), re.M):
        for word in re.findall(r"`(\w+)`", words):
            pages.setdefault(word, link)
    pages["automatic"] = pages.get("auto", "theory/automatic.md")
    return pages


def stage_text(answer):
    stages = answer.get("stages")
    if not stages:
        return ""
    keys = [key for key in ("name", "round", "start", "when", "until") if key in stages[0]]
    return "\n## Stages, in the order in which they are tried\n\n" + table(keys, [[cell(stage[key]) for key in keys] for stage in stages])


def make(stickslip, folder):
    folder.mkdir(parents=True)
    families = {}
    for entry in ask(stickslip, "list"):
        families.setdefault(entry["family"], []).append(entry)
    theory = theory_pages()
    overview = []
    for family, labels in families.items():
        name = "auto" if family == "automatic" else family
        text = f"# {name}\n\n{labels[0]['summary'][:1].upper() + labels[0]['summary'][1:]}.\n"
        if family in theory:
            text += f"\nThe method and its figures: [theory](../docs/{theory[family]}).\n"
        text += "\n## Options\n\n" + (option_text(stickslip, name) or "None.\n")
        text += stage_text(ask(stickslip, "describe", name))
        text += "\n## Labels\n\nNames of the literature that stand for this family with the options as published; they take options too.\n\n"
        text += table(["label", "composition", "what it is", "reference", "needs"],
                      [[code(e["label"]), code(e["composition"]), cell(e["summary"]), cell(e["reference"]), cell(e["needs"])]
                       for e in labels])
        (folder / f"{name}.md").write_text(text)
        overview.append([f"[`{name}`]({name}.md)", str(len(labels)), ", ".join(code(e["label"]) for e in labels)])
    index = "# Solvers and options\n\nThese pages are written by the solvers themselves: `stickslip list` and `stickslip describe NAME` say the same.\n"
    index += "A solver is written `family(option=value, part=kind(option=value))`, everywhere: on the command line, in plans, in C++, C and Python.\n"
    index += "Which one to take: [choosing a solver](../docs/choosing.md).\n\n" + table(["family", "labels", ""], overview)
    index += "\n```{toctree}\n:hidden:\n\n" + "\n".join("auto" if f == "automatic" else f for f in families) + "\n```\n"
    (folder / "README.md").write_text(index)

"""The page of the Python module from its own docstrings, where the module was built beside the command line."""
import inspect
import pathlib
import sys


def parts(thing):
    """The public members of a class that say something."""
    for name, member in sorted(vars(thing).items()):
        words = inspect.getdoc(member)
        if not name.startswith("_") and words:
            yield name, words


def entry(name, thing):
    words = inspect.getdoc(thing) or ""
    text = f"\n## {name}\n\n"
    if words:
        text += f"```text\n{words}\n```\n"
    if inspect.isclass(thing) and not issubclass(thing, BaseException):
        members = list(parts(thing))
        if members:
            text += "\n| member | |\n| --- | --- |\n"
            for member, about in members:
                lines = [line for line in about.splitlines() if line.strip() and "self:" not in line]
                first = lines[0].replace("|", "\\|").replace("`", "").replace("*", "\\*").replace("[", "\\[") if lines else ""
                text += f"| `{member}` | {first} |\n"
    return text


def make(stickslip, folder):
    sys.path.insert(0, str(pathlib.Path(stickslip).parent / "python"))
    try:
        import stickslip as module
    except ImportError:
        return  # not built, or for another Python
    page = "# Python\n\nWhat `help(stickslip)` says. How to begin: [the manual](../docs/python.md).\n\n"
    page += f"```text\n{inspect.getdoc(module)}\n```\n"
    for name in module.__all__:
        thing = getattr(module, name)
        if inspect.isroutine(thing) or inspect.isclass(thing):
            page += entry(name, thing)
    for name in ("engines", "siconos"):
        try:
            other = __import__(f"stickslip.{name}", fromlist=[name])
        except ImportError:
            continue
        page += f"\n## stickslip.{name}\n\n```text\n{inspect.getdoc(other)}\n```\n"
        for function in vars(other).values():
            if inspect.isfunction(function) and function.__module__ == other.__name__ and not function.__name__.startswith("_"):
                page += f"\n### {function.__name__}\n\n```text\n{function.__name__}{inspect.signature(function)}\n\n{inspect.getdoc(function)}\n```\n"
    (folder / "python.md").write_text(page)

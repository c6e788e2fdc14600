"""Sphinx's settings of the site; docs/site/build calls it."""
import pathlib
import re
import sys

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here))

project = "stickslip"
author = "the stickslip authors"
copyright = "2026, the stickslip authors"
release = version = re.search(r"project\(stickslip VERSION ([0-9.]+)", (here / "../../CMakeLists.txt").read_text())[1]

extensions = ["myst_parser", "sphinx_copybutton", "katex_math"]
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 4  # as GitHub makes them, so that links work there too
html_math_renderer = "katex"
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True
copybutton_here_doc_delimiter = "END"

html_theme = "furo"
html_title = "stickslip"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
html_show_search_summary = False  # it would fetch pages, which files on disk may not
html_use_index = False  # nothing is indexed by hand
html_favicon = "static/icon.svg"
pygments_style = "friendly"
pygments_dark_style = "native"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1f5f99", "color-brand-content": "#1f5f99"},
    "dark_css_variables": {"color-brand-primary": "#7db8f0", "color-brand-content": "#7db8f0"},
}

# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""How Sphinx makes the site; docs/site/build.py calls it."""
import os
import re
import sys

project = "Setka"
copyright = "2026 the Setka authors"
extensions = ["myst_parser"]
if os.environ.get("SETKA_PYTHON"):
    sys.path.insert(0, os.environ["SETKA_PYTHON"])
    extensions += ["sphinx.ext.autodoc"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
myst_heading_anchors = 4
exclude_patterns = ["files"]
html_theme = "furo"
html_title = "Setka"
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
pygments_style = "friendly"
smartquotes = False  # of what is shown some is copied
# Blocks without a language are commands and what they print.
highlight_language = "none"


def marked_up(text):
    """Plain text of a docstring as reStructuredText: names in backticks are code, and no other character means anything."""
    pieces = re.split(r"(`[^`]+`)", text)
    return "".join(f"``{piece[1:-1]}``" if piece.startswith("`") and len(piece) > 2 else re.sub(r"([\\*|_`])", r"\\\1", piece)
                   for piece in pieces)


def from_plain_text(app, what, name, subject, options, lines):
    """Docstrings are written for help(): paragraphs; `name: what it is` for each argument, on lines of its own; examples
    with >>> or indented."""
    made = []
    for paragraph in "\n".join(lines).expandtabs().strip("\n").split("\n\n"):
        rows = [row for row in paragraph.split("\n") if row.strip()]
        if rows and rows[0].startswith(">>>"):
            made += rows
        elif rows and all(row.startswith("    ") for row in rows):
            made += ["::", ""] + rows
        else:
            in_list = False
            for row in rows:
                item = re.match(r"([a-z_][a-z0-9_]*(?:, [a-z_][a-z0-9_]*)*): +(.*)", row)
                if item:
                    made += [""] * (not in_list) + [f"* ``{item[1]}``: {marked_up(item[2])}"]
                    in_list = True
                elif in_list and row.startswith(" "):
                    made.append("  " + marked_up(row.strip()))
                else:
                    made += [""] * in_list + [re.sub(r"^(\d+)\.", r"\1\\.", marked_up(row.strip()))]
                    in_list = False
        made.append("")
    lines[:] = made


def setup(app):
    if "sphinx.ext.autodoc" in extensions:
        app.connect("autodoc-process-docstring", from_plain_text)

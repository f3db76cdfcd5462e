# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""How Sphinx makes the site; docs/site/build.py calls it."""
import os
import sys

project = "Setka"
copyright = "2026 the Setka authors"
extensions = ["myst_parser"]
if os.environ.get("SETKA_PYTHON"):
    sys.path.insert(0, os.environ["SETKA_PYTHON"])
    extensions += ["sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
myst_heading_anchors = 4
exclude_patterns = ["files"]
html_theme = "furo"
html_title = "Setka"
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
pygments_style = "friendly"
# Blocks without a language are commands and what they print.
highlight_language = "none"

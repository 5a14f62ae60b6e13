"""Sphinx: MyST pages in four folders, and the API from the docstrings."""

from footwork import __version__

project = "Footwork"
author = "The Footwork developers"
copyright = "2026, The Footwork developers"
release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.mathjax",
    "sphinx.ext.viewcode",
]
myst_enable_extensions = ["colon_fence", "dollarmath", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "Footwork"
html_static_path = ["_static"]
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
napoleon_google_docstring = True
napoleon_use_rtype = False
napoleon_custom_sections = ["Source"]
default_role = "code"

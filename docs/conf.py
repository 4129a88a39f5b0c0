"""Settings of the documentation: `scripts/docs` builds it, and takes warnings for errors."""

import sskmeans

project = "sskmeans"
copyright = "2026, the sskmeans developers"
author = "the sskmeans developers"
version = release = sskmeans.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
nitpicky = True
smartquotes = False
default_role = "code"
nitpick_ignore_regex = [(r"py:.*", r"(?!sskmeans).*")]  # types of other libraries, and prose
autodoc_typehints = "none"  # the docstrings say them in words
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_rtype = False
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 2
suppress_warnings = ["myst.header"]  # included files begin below a page's title

html_theme = "furo"
html_title = "sskmeans"
html_copy_source = False

"""The door: X, weights and parameters are checked and converted here and nowhere else.

Inner functions trust what passes. What can be refused is refused before any work starts, with the
place and the numbers (`sskmeans.messages`). X is never written to. Labels have their own file,
`sskmeans.labels`.
"""

from sskmeans.validate.new_rows import new_row_blocks, read_new_rows
from sskmeans.validate.parameters import (
    choice,
    read_init,
    read_random_state,
    tolerance,
    whole_number,
)
from sskmeans.validate.rows import is_single, read_rows, unit_rows
from sskmeans.validate.survey import survey
from sskmeans.validate.weights import read_weights

__all__ = [
    "choice",
    "is_single",
    "new_row_blocks",
    "read_init",
    "read_new_rows",
    "read_random_state",
    "read_rows",
    "read_weights",
    "survey",
    "tolerance",
    "unit_rows",
    "whole_number",
]

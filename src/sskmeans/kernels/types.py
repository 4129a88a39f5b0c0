"""The array types that kernels speak of."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]
Matrix: TypeAlias = Any  # Array, or scipy's csr_array / csr_matrix with sorted indices
Rows: TypeAlias = npt.NDArray[np.intp] | None

"""Semi-supervised k-means: label a few rows, let it label the rest and find the new classes.

>>> from sskmeans import SSKMeans
>>> SSKMeans(n_clusters=2).fit_predict([[0.0], [0.1], [9.0]], ["low", None, "high"])
array(['low', 'low', 'high'], dtype=object)
"""

from importlib.metadata import version as _version

from sskmeans import errors, kernels
from sskmeans.estimator import SSKMeans
from sskmeans.seeding.public import ss_kmeans_plusplus

__version__ = _version("sskmeans")
__all__ = ["SSKMeans", "__version__", "errors", "kernels", "ss_kmeans_plusplus"]

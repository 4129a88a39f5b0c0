"""Every error and warning class.

    SSKMeansError
    ├── DataError         X cannot be clustered as it is                (ValueError)
    ├── LabelsError       y says something that cannot be meant         (ValueError)
    ├── WeightsError      sample_weight is not a weighting              (ValueError)
    └── ParameterError    a parameter is out of its range or kind       (ValueError, TypeError)
    SSKMeansWarning
    ├── SlowBackendWarning        the NumPy reference runs              (UserWarning)
    ├── FewerClustersWarning      fewer clusters than asked for         (ConvergenceWarning)
    ├── LonelyClustersWarning     each new class is one row or two      (UserWarning)
    └── IgnoredSettingWarning     a setting has no effect here          (RuntimeWarning)

What they say is in `messages`.
"""

from sklearn.exceptions import ConvergenceWarning


class SSKMeansError(Exception):
    """Root of the errors of this package."""


class DataError(SSKMeansError, ValueError):
    """X cannot be clustered as it is."""


class LabelsError(SSKMeansError, ValueError):
    """y says something that cannot be meant."""


class WeightsError(SSKMeansError, ValueError):
    """sample_weight is not a weighting of the rows."""


class ParameterError(SSKMeansError, ValueError, TypeError):
    """A parameter is out of its range or of the wrong kind."""


class SSKMeansWarning(UserWarning):
    """Root of the warnings of this package."""


class SlowBackendWarning(SSKMeansWarning):
    """The NumPy reference runs because the native kernels were not built."""


class FewerClustersWarning(SSKMeansWarning, ConvergenceWarning):
    """Fewer clusters were found than asked for."""


class LonelyClustersWarning(SSKMeansWarning):
    """Each class without labels was left with a row or two."""


class IgnoredSettingWarning(SSKMeansWarning, RuntimeWarning):
    """A setting has no effect in this combination."""

"""SciPy's special functions, imported when the first of them is called.

With them the server would take a quarter longer to start, and no page that respondents open needs one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scipy.special import betainc as betainc
    from scipy.special import betaincc as betaincc
    from scipy.special import chdtrc as chdtrc
    from scipy.special import chdtri as chdtri
    from scipy.special import expit as expit
    from scipy.special import logit as logit
    from scipy.special import ndtr as ndtr
    from scipy.special import ndtri as ndtri
else:

    def __getattr__(name):
        """Import one of the functions and keep it, so that the next call finds it here.

        Examples
        --------
        >>> from survey import special
        >>> float(special.ndtri(0.5))
        0.0
        """
        from scipy import special

        globals()[name] = getattr(special, name)
        return globals()[name]

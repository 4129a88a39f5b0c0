"""The laws of seeding on a handful of rows, enumerated in exact arithmetic.

A law gives each ordered tuple of rows its probability. It is built draw by draw from nothing but
the definition, in fractions, and shares no line with the package. `p_value` holds draws to it.
"""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product

from scipy import stats

Law = dict[tuple[int, ...], Fraction]
Step = Callable[[tuple[int, ...]], dict[int, Fraction]]

LEAST_P = 1e-4  # about a hundred chi-square tests in all: right code fails one suite in a hundred


def in_turn(step: Step, n_new: int) -> Law:
    """The law of `n_new` draws when `step(rows so far)` is the law of the next one."""
    law: Law = {(): Fraction(1)}
    for _ in range(n_new):
        law = {(*t, i): p * q for t, p in law.items() for i, q in step(t).items() if q}
    return law


def plusplus_step(rows, weights, fixed, free) -> Step:
    """ss-k-means++: w D2 over the free rows; w alone when there is no centre yet."""

    def step(drawn: tuple[int, ...]) -> dict[int, Fraction]:
        centres = [*fixed, *(rows[i] for i in drawn)]
        mass = {i: weights[i] * nearest(rows[i], centres) for i in free}
        if not any(mass.values()):  # every row lies on a centre: any row that is left will do
            mass = {i: Fraction(weights[i] > 0 and i not in drawn) for i in free}
        return in_proportion(mass)

    return step


def greedy_step(rows, weights, fixed, free, trials: int) -> Step:
    """The best of `trials` independent candidates of the same law, the first among equals."""
    single = plusplus_step(rows, weights, fixed, free)

    def step(drawn: tuple[int, ...]) -> dict[int, Fraction]:
        law = single(drawn)
        centres = [*fixed, *(rows[i] for i in drawn)]
        if not centres:
            return law
        after = {i: potential(rows, weights, [*centres, rows[i]], free) for i in law}
        best = dict.fromkeys(law, Fraction(0))
        for candidates in product((i for i in law if law[i]), repeat=trials):
            chance = Fraction(1)
            for i in candidates:
                chance *= law[i]
            best[min(candidates, key=after.__getitem__)] += chance  # min keeps the first
        return best

    return step


def uniform_step(weights, free) -> Step:
    """Distinct rows, one after the other, each in proportion to weight."""
    return lambda drawn: in_proportion({i: Fraction(weights[i]) for i in free if i not in drawn})


def nearest(row, centres) -> Fraction:
    """Squared distance to the nearest centre; 1 where there is none."""
    squares = [sum((Fraction(a) - b) ** 2 for a, b in zip(row, c, strict=True)) for c in centres]
    return min(squares, default=Fraction(1))


def potential(rows, weights, centres, free) -> Fraction:
    """The cost of the free rows."""
    return sum((weights[i] * nearest(rows[i], centres) for i in free), Fraction(0))


def in_proportion(mass: dict[int, Fraction]) -> dict[int, Fraction]:
    """The law with these masses."""
    total = sum(mass.values())
    return {i: m / total for i, m in mass.items()}


def p_value(law: Law, draws: list[tuple[int, ...]]) -> float:
    """How likely draws at least as odd as these are under the law; 0 if one is impossible."""
    seen = Counter(draws)
    if not seen.keys() <= law.keys():
        return 0.0
    observed, expected, rare = [], [], [0, 0.0]
    for outcome, chance in law.items():
        mean = float(chance) * len(draws)
        if mean < 5:  # too rare for the chi-square approximation on its own
            rare[0] += seen[outcome]
            rare[1] += mean
        else:
            observed.append(seen[outcome])
            expected.append(mean)
    if rare[1] > 0:
        observed.append(rare[0])
        expected.append(rare[1])
    return float(stats.chisquare(observed, expected).pvalue)

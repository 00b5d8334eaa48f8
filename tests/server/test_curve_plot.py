"""Where a cumulative curve and its band stand on a chart."""

from server.results.charts.curve_plot import curve_plot
from survey.figures.curves import CurveFigures, CurvePoint


def curve(*points):
    """A curve from 0 to 10, of points up to a number with a share and a band of .1 on either side."""
    known = tuple(
        CurvePoint(up_to, share, share - 0.05, share + 0.05, share - 0.1, share + 0.1)
        for up_to, share in points
    )
    return CurveFigures(0.0, 10.0, known, (), 0.95)


def near(corners):
    """Corners without the dust of binary fractions."""
    return [(round(x, 6), round(y, 6)) for x, y in corners]


def test_a_finer_scale_has_a_line_between_its_points_and_a_band_for_any_shape():
    plot = curve_plot(curve((4.0, 0.3), (8.0, 0.6)), [(0.0, "0"), (10.0, "10")], discrete=False)
    assert near(plot.line) == [(0, 100), (40, 70), (80, 40), (100, 0)]
    upper, lower = plot.band[:6], plot.band[6:][::-1]
    assert near(upper) == [(0, 60), (40, 60), (40, 30), (80, 30), (80, 0), (100, 0)]
    assert near(lower) == [(0, 100), (40, 100), (40, 80), (80, 80), (80, 50), (100, 50)]
    assert plot.ticks == ((0.0, "0"), (100.0, "10"))


def test_without_answers_between_its_points_a_curve_is_steps():
    plot = curve_plot(curve((0.0, 0.3), (5.0, 0.6)), [], discrete=True)
    assert near(plot.line) == [(0, 100), (0, 100), (0, 70), (50, 70), (50, 40), (100, 40), (100, 0)]
    assert near(plot.dots) == [(0, 70), (50, 40)]
    assert plot.inner([(0, 100), (50, 40)]) == "M0.00 100.00L50.00 40.00"

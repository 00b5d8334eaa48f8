"""The files of the zip, in their order. Whoever adds one adds a line to `MAKERS`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from zipfile import ZIP64_LIMIT

from server.results.archive import datapackage, spss, stata
from server.results.archive.citation import citation_text
from server.results.archive.hashed_file import HashedFile
from server.results.archive.methods import methods_text
from server.results.files.codebook_page import codebook_html
from server.results.files.material import Material
from server.results.files.report_csv import report_blocks
from server.results.files.table_texts import channels_text, codebook_text, estimates_text, survey_text
from server.runtime import offload

Maker = Callable[[Material], Iterable[bytes]]
"""A function that makes a file piece by piece."""


def from_whole_text(write: Callable[[Material], str]) -> Maker:
    """Make a file from its whole text, which a thread writes when its turn comes."""

    def pieces(material: Material) -> Iterator[bytes]:
        yield offload.compute(write, material).encode()

    return pieces


def report_pieces(material: Material) -> Iterable[bytes]:
    """Return the noisy reports block by block."""
    assert material.reports is not None  # noqa: S101  # see `file_names`
    return report_blocks(list(material.publication.columns), material.reports)


def from_file_beside(name: str) -> Maker:
    """Send a file that lies beside this one, the same for every survey."""
    return lambda material: [Path(__file__).with_name(name).read_bytes()]


MAKERS: Mapping[str, Maker] = MappingProxyType(
    {
        "methods.md": from_whole_text(lambda material: methods_text(material, file_names(material))),
        "citation.bib": from_whole_text(citation_text),
        "estimates.csv": from_whole_text(lambda material: estimates_text(material.figures)),
        "reports.csv": report_pieces,
        "survey.toml": from_whole_text(lambda material: survey_text(material.publication)),
        "codebook.csv": from_whole_text(lambda material: codebook_text(material.publication)),
        "codebook.html": from_whole_text(
            lambda material: codebook_html(material.publication, material.version)
        ),
        "channels.json": from_whole_text(lambda material: channels_text(material.publication)),
        "analysis.py": from_file_beside("analysis.py"),
        "analysis.R": from_file_beside("analysis.R"),
        "analysis.sps": from_whole_text(lambda material: spss.text(material.publication)),
        "analysis.do": from_whole_text(lambda material: stata.text(material.publication)),
    }
)
"""Name -> the function that makes the file."""

FROM_REPORTS = frozenset({"reports.csv", "analysis.py", "analysis.R", "analysis.sps", "analysis.do"})
"""The files that are left out while the reports are kept back: they hold them, or read them."""

FOLDER = "pictures"
"""The folder beside the survey file that its pictures lie in."""

PACKAGE, CHECKSUMS = "datapackage.json", "checksums.txt"
"""The files that are about the others and come last."""


def file_names(material: Material) -> list[str]:
    """Return the names of the files that can be made, `PACKAGE` and `CHECKSUMS` included."""
    left_out = FROM_REPORTS if material.reports is None else frozenset()
    shown = (f"{FOLDER}/{picture.file}" for picture in material.publication.definition.pictures)
    return [*(name for name in MAKERS if name not in left_out), *shown, PACKAGE, CHECKSUMS]


def picture_pieces(material: Material, name: str) -> Iterator[bytes]:
    """Return the bytes of a picture, named by its file."""
    yield material.picture(Path(name).stem)


def names_of_huge(material: Material) -> frozenset[str]:
    """Return the names of the files that may pass 2 GB: a code and its comma take five characters at most."""
    cells = 0 if material.reports is None else len(material.reports) * material.reports.columns
    return frozenset({"reports.csv"} if 5 * cells > ZIP64_LIMIT else ())


def files(material: Material) -> Iterator[tuple[str, Iterable[bytes]]]:
    """Yield each file with its pieces; the pieces of one are taken before the next is asked for."""
    made: dict[str, HashedFile] = {}
    for name in file_names(material)[:-2]:
        made[name] = HashedFile(MAKERS[name](material) if name in MAKERS else picture_pieces(material, name))
        yield name, made[name]
    made[PACKAGE] = HashedFile([datapackage.text(material, made).encode()])
    yield PACKAGE, made[PACKAGE]
    yield CHECKSUMS, ["".join(f"{each.sha256}  {name}\n" for name, each in made.items()).encode()]

"""Citations of a survey, of Candor and of the papers behind it, as BibTeX."""

from __future__ import annotations

from server.results.archive.papers import of_survey
from server.results.files.material import Material

TEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\textbraceleft{}",
        "}": r"\textbraceright{}",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
    }
    | {character: f"\\{character}" for character in "#$%&_"}
)
"""Character that TeX would take for a command -> how to write it. Braces get names, because BibTeX counts
those with a backslash too."""


def citation_text(material: Material) -> str:
    """Write the survey, Candor and the papers as BibTeX; who asked, and when, Candor does not know."""
    definition, figures = material.publication.definition, material.figures
    title = in_tex(definition.title[definition.languages[0]])
    published = f"SHA-256 of what was published: {figures.publication.fingerprint}"
    survey = f"""@misc{{{material.folder},
  title = {{{{{title}}}}},
  howpublished = {{Survey with randomized answers, run with Candor {in_tex(material.version)}}},
  note = {{{figures.respondents} respondents. {published}}},
}}"""
    candor = f"""@misc{{candor,
  author = {{{{The Candor authors}}}},
  title = {{Candor: surveys under local differential privacy}},
  howpublished = {{Computer software}},
  note = {{Version {in_tex(material.version)}}},
}}"""
    return "\n\n".join([survey, candor, *(paper.entry for paper in of_survey(figures))]) + "\n"


def in_tex(text: str) -> str:
    """Write a text in one line for BibTeX, so that no character of it is a command."""
    return " ".join(text.split()).translate(TEX)

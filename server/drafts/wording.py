"""Advice on the wording of a question, where it is known to matter: a sentence that never blocks.

A false alarm is worse than silence: each rule looks for few forms, and is sure of them. Other languages than
English and Korean get none.

Notes
-----
What the rules look for is advised against by Bradburn, Sudman & Wansink, Asking Questions (2004) and by
Krosnick & Presser, Question and Questionnaire Design (Handbook of Survey Research, 2nd ed., 2010, 263-313):
two questions in one, negations, leading words, long wordings, and options that overlap or do not cover all.
That people report on a period only if one is given, Tourangeau & Yan, Sensitive Questions in Surveys
(Psychological Bulletin 133, 2007, 859-883) review with what people do not like to report.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from server.drafts.option_ranges import overlap
from survey.limits import LONGEST_OPTION, LONGEST_TEXT
from survey.promises import pattern

Texts = Mapping[str, str]
Pattern = re.Pattern[str]


@dataclass(frozen=True)
class Rules:
    """The forms that are looked for in one language.

    Attributes
    ----------
    double, negated, leading : Pattern
        What each fault looks like.
    twice : Pattern
        A negation; two in one question are too many.
    past : Pattern
        A question on what somebody did.
    time : Pattern
        What says when, however loosely: a word too many costs an alarm, one too few would raise a false one.
    condition : Pattern
        A question that is not for everybody.
    no : Pattern
        An option for those whom it is not for.
    most_words : int
        How many words are long.
    """

    double: Pattern
    negated: Pattern
    leading: Pattern
    twice: Pattern
    past: Pattern
    time: Pattern
    condition: Pattern
    no: Pattern
    most_words: int


WHO = r"(?:you|they|he|she|it|any(?:body|one)|some(?:body|one))"
SAID = r"(?:think|agree|feel|believe|say|find)"
THINGS = r"(?:your|our|their|the)(?: \w+){1,2}"
PAST = "".join(set(map(chr, range(0xAC00 + 20, 0xD7A4, 28))) - set("있겠"))
"""All syllables that end as Korean verbs of the past do, in ㅆ: every 28th, from the 20th."""


RULES = {
    "en": Rules(
        double=pattern(
            r"\band/or\b",
            rf"^(?:do|did|does) {WHO} \w+ and \w+\?$",
            rf"\band (?:did|do|does|have|has|had|are|were|was|is|will|would|can) {WHO}\b",
            rf"\b(?:satisfied|happy|content|pleased)(?: (?:are|were) you)? with {THINGS} and {THINGS}\?$",
        ),
        negated=pattern(
            rf"^(?:do|did|does|have|has|are|is|were|was|would|should|could|can)(?:n['’]t {WHO}| {WHO} not)\b",
        ),
        leading=pattern(
            r"\bof course\b",
            r"\bobviously\b",
            r"\bneedless to say\b",
            r"\bas (?:we all|everybody|everyone|you) knows?\b",
            rf"\b(?:don['’]t|wouldn['’]t|do not|would not) you {SAID}\b",
            rf"\b(?:do|would) you not {SAID}\b",
            r"\bsurely you\b",
        ),
        twice=pattern(
            r"(?<!\bor )\bnot\b", r"n['’]t\b", r"\bnever\b", r"\bcannot\b", r"\bno (?:one|longer)\b"
        ),
        past=pattern(
            rf"^(?:did|has|had|were|was) {WHO}\b",
            r"^have (?:you|they) (?:\w+ed|been|done|had|taken|drunk|driven|stolen|lied|hit|hurt|gone|seen)\b",
            rf"^how (?:often|many times) (?:did|have|has|were) {WHO}\b",
            rf"^how (?:many|much) (?:\w+ ){{1,5}}(?:did|have|has) {WHO}\b",
        ),
        time=pattern(
            r"\d",
            r"\b(?:past|last|latest|previous|first|this|these|today|tonight|yesterday|ever|never|always)\b",
            r"\b(?:since|ago|before|after|until|till|while|when|whenever|during|once|currently|now|yet)\b",
            r"\b(?:recent(?:ly)?|present(?:ly)?|usual(?:ly)?|typical(?:ly)?|average|so far|lifetime|life)\b",
            r"\b(?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?|decades?|terms?|semesters?)\b",
            r"\b(?:mornings?|evenings?|weekends?|holidays?|seasons?|spring|summer|autumn|winter|shifts?)\b",
            r"\b(?:january|february|march|april|june|july|august|september|october|november|december)\b",
            r"\b(?:born|childhood|child|youth|pandemic|war|elections?)\b|\bas an? ",
            # What happens once, or is known: when it was matters little.
            r"\b(?:complet|finish|graduat|diagnos|regist|marri|divorc|decid|vaccinat|enrol|retir|attend)\w*",
            r"\b(?:told|hear|heard|read|understand|understood|receiv\w*|grow|grew|vote[ds]?|know|knew|cho[os]e\w*)\b",
        ),
        condition=pattern(r"^if (?:you|anybody|somebody|anyone|someone)\b"),
        no=pattern(
            r"\b(?:not?|none|never|nobody|nothing|nowhere|neither|other|others|else|without)\b",
            r"n['’]t\b|\bn/a\b|\bdoes not apply\b|\banother\b",
        ),
        most_words=40,
    ),
    "ko": Rules(
        double=pattern(r"[가-힣] 및 [가-힣]", rf"[{PAST}]고,? "),
        negated=pattern(
            r"(?:지 않(?:습니까|으십니까|았습니까|으셨습니까|나요|은가요|았나요))\s*\?*\s*$",
            r"지 [않못][가-힣]* (?:적|날|일|것|수|때|경우|사람)[이가은는도]? 없",
            r"(?:없|않|못하)지는? 않",
        ),
        leading=pattern(
            r"(?:^|\s)(?:당연히|물론|아시다시피|누구나 알다시피|말할 것도 없이)(?:\s|,)",
            r"(?:생각하|동의하|느끼)지 않(?:습니까|으십니까|나요)",
        ),
        twice=pattern(r"(?!)"),  # above: two in one sentence are common, and mostly of different things
        past=pattern(
            rf"(?<![있없])[{PAST}]습니까\s*\?*\s*$",
        ),
        time=pattern(
            r"\d",
            r"지난|최근|요즘|오늘|어제|그제|이번|올해|작년|현재|지금|평생|여태|이제까지|평소|이래|아직|처음|마지막",
            r"동안|사이|부터|까지|이후|이전|전에|뒤|후에|때|당시|중에|도중|언제|한 번이라도|적이",
            r"살면서|자라면서",
            r"졸업|입학|진단|결혼|이혼|들었|읽었|이해|등록|접종|태어|자랐|투표|은퇴|퇴직|알았|정했",
            r"시간|하루|이틀|사흘|매일|매주|매달|주말|평일|일주일|학기|분기|개월",
            r"[가-힣] ?(?:주|달|해|월|년)(?:\s|에|간|의|$)",
            r"봄|여름|가을|겨울|아침|점심|저녁|밤|새벽|방학|명절|휴가|선거|어린 시절|어릴",
        ),
        condition=pattern(r"다면[, ]", r"(?:경우|경우에는|분은|사람은)[, ]"),
        no=pattern(r"않|없|아니|안 |못|해당|기타|그 밖|다른"),
        most_words=30,
    ),
}


@dataclass(frozen=True)
class Hint:
    """One thing about a question that is worth another look.

    Attributes
    ----------
    code : str
        ``wording.<code>`` in the catalogue says it.
    language : str
        That of the text it is about.
    """

    code: str
    language: str


def hints(wording: Texts, note: Texts, kind: str, options: Sequence[Texts]) -> tuple[Hint, ...]:
    """Return what is worth another look in a question, in each language that has rules.

    Parameters
    ----------
    wording, note : Mapping[str, str]
        Language -> text.
    kind : str
    options : sequence of Mapping[str, str]
        None for kinds without options.

    Examples
    --------
    >>> hints({"en": "Did you drink alcohol?"}, {}, "yes_no", ())
    (Hint(code='time', language='en'),)
    >>> hints({"en": "Did you drink alcohol in the past week?"}, {}, "yes_no", ())
    ()
    """
    return tuple(
        Hint(code, language)
        for language, rules in RULES.items()
        if (text := plain(wording.get(language, "")))
        for code in [
            *of_wording(text, note.get(language, ""), rules),
            *of_options(text, kind, [each.get(language, "") for each in options], rules),
        ]
    )


def plain(text: str) -> str:
    """Return a text in one line, or nothing of one that is too long to be stored: that is said elsewhere."""
    return " ".join(text.split()) if len(text) <= LONGEST_TEXT else ""


def of_wording(text: str, note: str, rules: Rules) -> Iterator[str]:
    """Yield what is worth another look in a wording."""
    if rules.past.search(text) and not rules.time.search(f"{text} {note}"):
        yield "time"
    if rules.double.search(text):
        yield "double"
    if rules.leading.search(text):
        yield "leading"
    elif rules.negated.search(text) or len(rules.twice.findall(text)) > 1:
        yield "negated"
    if len(text.split()) > rules.most_words:
        yield "long"


def of_options(text: str, kind: str, options: Sequence[str], rules: Rules) -> Iterator[str]:
    """Yield what is worth another look in the options: two that overlap, or none for those it is not for."""
    written = [each for each in options if each.strip() and len(each) <= LONGEST_OPTION]
    if kind == "choice" and overlap(written):
        yield "overlap"
    answerable = kind in {"choice", "yes_no"} and len(written) == len(options)
    if answerable and rules.condition.search(text) and not any(map(rules.no.search, written)):
        yield "applies"

"""A survey in a language that runs from right to left; what Candor lacks in it is said in English."""

TEXTS = {
    "title": "الصدق في الامتحانات",
    "organisation": "جامعة التل",
    "contact": "ada@hillside.example",
    "information": "هذا استطلاع تجريبي.",
    "consent": "قرأت هذا وأشارك بإرادتي.",
    "help": "+966 11 465 0000",
    "closing": "شكرا.",
}
OPTIONS = ["ولا مرة", "مرة واحدة", "مرتان أو ثلاث مرات", "أكثر من ذلك"]

SIDES = """
const [radio, label, picture] = [
  "input[data-answer]", "label:has([data-answer]) > :last-child", ".device svg",
].map((each) => document.querySelector(each));
return [
  radio.getBoundingClientRect().left > label.getBoundingClientRect().left,
  getComputedStyle(picture).direction,
];
"""


UNMARKED = """
const names = "a[href], .brand, .languages, code, .bytes";
const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const unmarked = [];
while (nodes.nextNode()) {
  const { data, parentElement: within } = nodes.currentNode;
  const { lang } = within.closest("[lang]");
  const expected = /[a-z]{2}/i.test(data) ? "en" : /\\p{Script=Arabic}/u.test(data) ? "ar" : lang;
  if (within.checkVisibility() && !within.closest(names) && lang !== expected) unmarked.push(data);
}
return unmarked;
"""
"""The words on the screen that a screen reader would read out in the wrong language."""


def test_a_page_runs_from_right_to_left_pictures_stay_as_they_are_and_english_is_marked(site, respondent):
    def arabic(text):
        return {"ar": text, "en": "In English."}

    questions = [
        {"id": "copied", "mechanism": "spinner_coin", "epsilon": 1.0, "wording": arabic("هل نسخت؟")},
        {
            "id": "often",
            "kind": "choice",
            "mechanism": "wheel",
            "epsilon": 1.0,
            "wording": arabic("كم مرة؟"),
            "options": [arabic(option) for option in OPTIONS],
        },
    ]
    texts = {name: arabic(text) for name, text in TEXTS.items()}
    site.publish("leftward", languages=["ar", "en"], questions=questions, **texts)

    def directions(*selectors):
        return [
            respondent.browser.execute_script(
                "return getComputedStyle(document.querySelector(arguments[0])).direction", selector
            )
            for selector in selectors
        ]

    respondent.visit(f"{site.address}/s/leftward")
    assert directions("html", "h1") == ["ltr", "ltr"]
    respondent.find(".languages [lang=ar]").click()
    assert directions("html", "h1", "[data-action=begin]") == ["rtl", "rtl", "ltr"]
    respondent.unfold("[data-total]")
    unmarked = {"welcome": respondent.browser.execute_script(UNMARKED)}
    respondent.consent()
    unmarked["question"] = respondent.browser.execute_script(UNMARKED)
    assert respondent.browser.execute_script(SIDES) == [True, "ltr"]
    assert respondent.overflow() == 0
    respondent.answer(1)
    respondent.answer(2)
    respondent.wait_for("review")
    unmarked["review"] = respondent.browser.execute_script(UNMARKED)
    assert directions("html", "[data-body]") == ["rtl", "ltr"]
    respondent.send()
    unmarked["sent"] = respondent.browser.execute_script(UNMARKED)
    assert unmarked == {screen: [] for screen in ("welcome", "question", "review", "sent")}
    assert respondent.complaints() == []

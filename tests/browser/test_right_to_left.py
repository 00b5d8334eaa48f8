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


def test_a_page_runs_from_right_to_left_and_pictures_stay_as_they_are(site, respondent):
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
    assert respondent.find("[data-action=begin]").get_attribute("lang") == "en"
    respondent.consent()
    assert respondent.browser.execute_script(SIDES) == [True, "ltr"]
    assert respondent.overflow() == 0
    respondent.answer(1)
    respondent.answer(2)
    respondent.wait_for("review")
    assert directions("html", "[data-body]") == ["rtl", "ltr"]
    respondent.send()
    assert respondent.complaints() == []

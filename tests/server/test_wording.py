"""Advice on wording: what is known to harm a question is named, and good questions are left alone."""

from importlib import resources

import pytest

from server.drafts.option_ranges import overlap
from server.drafts.wording import RULES, hints
from survey.read_definition import parse

BAD = {
    "time": {
        "en": [
            "Did you drink alcohol?",
            "Have you cheated in an exam?",
            "Has anybody harassed you at work?",
            "How often did you smoke?",
            "How many cigarettes did you smoke?",
            "How many times have you been insulted?",
            "Were you insulted by a customer?",
        ],
        "ko": [
            "술을 마셨습니까?",
            "시험에서 부정행위를 했습니까?",
            "상사에게 모욕을 당했습니까?",
            "담배를 몇 개비 피웠습니까?",
            "신고하지 않은 소득을 벌었습니까?",
        ],
    },
    "double": {
        "en": [
            "How satisfied are you with your pay and your working hours?",
            "Are you happy with the food and the rooms?",
            "In the past year, did you use cannabis and/or cocaine?",
            "In the past week, did you drink and did you drive a car?",
            "Do you smoke and do you drink?",
            "Do you drink and smoke?",
        ],
        "ko": [
            "지난 1년 동안 음주 및 흡연을 한 적이 있습니까?",
            "급여 및 근무 시간에 만족합니까?",
            "지난달에 술을 마셨고 운전을 했습니까?",
            "지난주에 상사가 소리를 질렀고, 물건을 던졌습니까?",
        ],
    },
    "negated": {
        "en": [
            "Do you not smoke?",
            "Didn't you declare your income last year?",
            "Haven’t you ever told a lie?",
            "Is it not true that you never drink?",
            "Should students who do not attend not be allowed to sit an exam?",
        ],
        "ko": [
            "담배를 피우지 않습니까?",
            "지난해 소득을 신고하지 않았습니까?",
            "규칙을 지키지 않은 적이 없습니까?",
            "술을 마시지 않는 날이 없습니까?",
        ],
    },
    "leading": {
        "en": [
            "Don't you think that cheating is wrong?",
            "Of course nobody likes to pay taxes. Do you pay yours?",
            "Do you not agree that drugs are bad?",
            "As everybody knows, smoking kills. Do you smoke?",
            "Wouldn’t you say that the rules are unfair?",
        ],
        "ko": [
            "시험 부정행위는 나쁘다고 생각하지 않습니까?",
            "당연히 법을 지켜야 합니다. 귀하는 법을 지킵니까?",
            "아시다시피 담배는 해롭습니다. 담배를 피웁니까?",
            "규칙이 부당하다는 데 동의하지 않으십니까?",
        ],
    },
    "long": {
        "en": ["In the past year, " + "did you see that people around you " * 6 + "broke a rule?"],
        "ko": ["지난 1년 동안 " + "주위에 있는 사람들이 규칙을 어기는 것을 " * 6 + "본 적이 있습니까?"],
    },
}

GOOD = {
    "en": [
        "Have you ever copied in an exam?",
        "Have you ever stolen something from a shop?",
        "Do you smoke?",
        "Do you have children and a job?",
        "Have you children?",
        "Have you got a driving licence?",
        "Are you content with your life at present?",
        "How many hours a week do you work for money, declared or not?",
        "In the past year, did you use notes or a telephone in an exam where they were not allowed?",
        "In the past week, did you buy bread and butter?",
        "Do you work in research and development?",
        "How satisfied are you with your work?",
        "How satisfied are you with the terms and conditions?",
        "Did you vote in the last election?",
        "Did you vote for the Greens in 2024?",
        "Did you come to work by car this morning?",
        "Were you hit as a child?",
        "Did you cheat during the exam?",
        "Did your parents smoke when you were small?",
        "Is cannabis legal where you live?",
        "Would you tell somebody if you saw theft?",
        "Can you see clearly at night?",
        "Do you believe that people should not drive after drinking?",
        "Did you do nothing at all yesterday?",
        "What is the course of your studies?",
        "Was your last tax return complete?",
        "On how many days did you drink in May 2025?",
        "Of the people you know, how many use drugs?",
        "Have you never smoked?",
        "Did you complete secondary school?",
        "Have you been diagnosed with diabetes?",
        "Have you read the information above?",
        "Did you grow up in a town?",
        "Have you attended a university?",
        "Do you take medicine that was not prescribed to you, whether or not you paid for it?",
        "Would you say that you are happy, or not?",
        "Did you and your partner ever quarrel about money and time?",
        "Are you satisfied with the way and the time in which you are paid?",
        "How many people live with you?",
        "How many of your friends take drugs?",
        "If the election were held tomorrow, whom would you vote for?",
        "I feel that my work is not valued.",
        "Please rate the food.",
        "",
        "?",
        "42",
    ],
    "ko": [
        "대마초를 사용해 본 적이 있습니까?",
        "시험에서 답을 베낀 적이 있습니까?",
        "담배를 피웁니까?",
        "지난주에 술을 마셨습니까?",
        "어제 몇 시간 잤습니까?",
        "지난 1년 동안 친구와 가족에게 돈을 빌린 적이 있습니까?",
        "가족과 보내는 시간에 얼마나 만족합니까?",
        "연구와 개발 부서에서 일합니까?",
        "지난 선거에서 투표했습니까?",
        "어렸을 때 부모에게 맞았습니까?",
        "대학에 들어온 뒤 따돌림을 당했습니까?",
        "돈을 받고 신고하지 않은 일을 한 적이 있습니까?",
        "아프고 힘든 날이 많습니까?",
        "세금을 내야 한다고 생각합니까?",
        "아이가 없습니까?",
        "술을 마시지 않는 날은 한 주에 며칠입니까?",
        "시험 도중에 쪽지를 보았습니까?",
        "올해 직장을 옮겼습니까?",
        "첫 담배를 언제 피웠습니까?",
        "살면서 거짓말을 한 적이 몇 번 있었습니까?",
        "지금까지 몇 번 이사했습니까?",
        "고등학교를 졸업했습니까?",
        "당뇨병 진단을 받았습니까?",
        "위의 안내를 읽었습니까?",
        "도시에서 자랐습니까?",
        "결혼했습니까?",
        "흡연과 음주 가운데 어느 것이 더 해롭다고 생각합니까?",
        "일과 가정을 함께 돌보기가 어렵습니까?",
        "약을 먹고 운전하면 위험하다고 생각합니까?",
        "돈이 없어서 병원에 가지 못한 적이 있습니까?",
        "직장에 다니고 있습니까?",
        "이 정책을 알고 있었습니까?",
        "도움이 필요했지만 받지 못한 적이 있습니까?",
        "",
    ],
}


@pytest.mark.parametrize(
    ("code", "language", "text"),
    [(code, language, text) for code, all_ in BAD.items() for language in all_ for text in all_[language]],
)
def test_what_harms_a_question_is_named(code, language, text):
    found = hints({language: text}, {}, "yes_no", ())
    assert code in {each.code for each in found}
    assert {each.language for each in found} == {language}


@pytest.mark.parametrize(("language", "text"), [(code, text) for code, all_ in GOOD.items() for text in all_])
def test_a_good_question_is_left_alone(language, text):
    assert hints({language: text}, {}, "yes_no", ()) == ()


@pytest.mark.parametrize("folder", ["examples", "starters"])
def test_all_surveys_that_candor_brings_along_are_left_alone(folder):
    files = [each for each in resources.files(f"server.{folder}").iterdir() if each.name.endswith(".toml")]
    assert len(files) >= 4
    for file in files:
        for question in parse(file.read_text(encoding="utf-8"), file.name).questions:
            options = getattr(question, "options", ())
            assert hints(question.wording, question.note, question.kind, options) == (), question.id


def test_a_note_may_give_the_time():
    asked = {"en": "Did you drink alcohol?"}
    assert hints(asked, {"en": "We mean the past week."}, "yes_no", ()) == ()


@pytest.mark.parametrize(
    ("overlapping", "options"),
    [
        (True, ["0-5", "5-10", "10-15"]),
        (True, ["1 to 3 days", "3 to 6 days"]),
        (True, ["up to 5", "5 or more"]),
        (True, ["0~5회", "5회 이상"]),
        (True, ["10 이하", "5 이상"]),
        (True, ["0 – 1.5", "1.2 – 3"]),
        (False, ["0-4", "5-9", "10 or more"]),
        (False, ["1 to 3 days", "4 to 6 days"]),
        (False, ["less than 5", "5 or more"]),
        (False, ["up to 5", "more than 5"]),
        (False, ["5 미만", "5 이상"]),
        (False, ["1~2일", "3~5일", "6일 이상"]),
        (False, ["2024-2025", "2025-2026"]),
        (False, ["On 1 or 2 days", "On 2 days in 3 weeks"]),
        (False, ["Type 1", "Type 2", "none"]),
        (False, ["070-1234-5678", "1234-5678"]),
        (False, []),
    ],
)
def test_options_that_overlap_are_seen(overlapping, options):
    assert overlap(options) is overlapping
    found = hints({"en": "Which one?"}, {}, "choice", [{"en": each} for each in options])
    assert ("overlap" in {each.code for each in found}) is overlapping
    assert hints({"en": "Which ones?"}, {}, "boxes", [{"en": each} for each in options]) == ()


@pytest.mark.parametrize(
    ("named", "text", "options"),
    [
        (True, {"en": "If you drive, how do you pay for fuel?"}, ["Cash", "Card"]),
        (False, {"en": "If you drive, how do you pay for fuel?"}, ["Cash", "Card", "I do not drive"]),
        (False, {"en": "If you drive, how do you pay for fuel?"}, ["Cash", ""]),
        (False, {"en": "How do you pay for fuel?"}, ["Cash", "Card"]),
        (False, {"en": "What would you do if you won a million?"}, ["Work", "Rest"]),
        (True, {"ko": "지난달에 운전했다면, 기름값을 어떻게 냈습니까?"}, ["현금", "카드"]),
        (False, {"ko": "지난달에 운전했다면, 기름값을 어떻게 냈습니까?"}, ["현금", "운전하지 않았다"]),
    ],
)
def test_a_question_that_is_not_for_everybody_needs_an_option_for_the_others(named, text, options):
    (language,) = text
    found = hints(text, {}, "choice", [{language: each} for each in options])
    assert [each.code for each in found] == (["applies"] if named else [])


@pytest.mark.parametrize(
    "text", ["did you ", "및 ", "have you ", "1-", "지 않", "<script>", "=1+1", "\u202e", "\0", "if you "]
)
def test_a_text_that_is_too_long_to_be_stored_gets_no_advice(text):
    texts = dict.fromkeys(RULES, text * 500_000)
    assert hints(texts, texts, "choice", [texts] * 3) == ()

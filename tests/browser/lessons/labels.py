"""Whatever is set, no words of a lesson's picture meet, nor words and points, and no page is too wide."""

from __future__ import annotations

from pages import Lesson
from plots import commands

WHEELS = ("two-coins", "simulation", "spinner-and-coin", "spinner-only", "asked-together", "made-to-order")
"""Lessons whose tables say "bright": it is a side of the wheel there, and no look of the drawing."""

SLOW = {"simulation": ["many", "again"]}
"""Buttons that run surveys, which the sliders do as well."""

WALK = """
const [slow, done] = arguments;
const settle = () => new Promise((next) => requestAnimationFrame(() => setTimeout(next)));
const shared = (from, length, other, wide) => Math.min(from + length, other + wide) - Math.max(from, other);
const found = new Map();
let [looks, seen] = [0, 0];

/** What collides now: more than a hair of two boxes in one plot is common. */
function look(set) {
  looks += 1;
  const out = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (out > 0) found.set(`page by ${out}`, set);
  for (const drawing of document.querySelectorAll("main svg:has(text)")) {
    const room = drawing.getBoundingClientRect();
    const words = [...drawing.querySelectorAll("text:not([transform])")]
      .map((node) => [node.textContent, node.getBoundingClientRect()])
      .filter(([text, { width }]) => text && width);
    seen += words.length;
    for (const grip of drawing.querySelectorAll(".grip")) {
      const ball = grip.getBoundingClientRect();
      for (const [text, box] of words) {
        const up = shared(ball.y, ball.height, box.y, box.height);
        if (shared(ball.x, ball.width, box.x, box.width) > 0 && up > 4) found.set(`a point on ${text}`, set);
      }
    }
    words.forEach(([text, box], index) => {
      const out = Math.max(room.left - box.left, box.right - room.right);
      if (out > 2) found.set(`${text} leaves its picture by ${out}`, set);
      if (/(?<![\\w(])D(?!\\w)/.test(text)) found.set(`${text} is a database and no place: f(D) is one`, set);
      for (const [other, beside] of words.slice(index + 1)) {
        const across = shared(box.x, box.width, beside.x, beside.width);
        const up = shared(box.y, box.height, beside.y, beside.height);
        if (across > 2 && up > 4) found.set(`${text} and ${other}`, set);
      }
    });
  }
}

/** @param {HTMLInputElement} slider @param {number} share of its way */
function move(slider, share) {
  const [min, max, step] = [slider.min, slider.max, slider.step].map(Number);
  const to = min + Math.round((max - min) * share / step) * step;
  if (Number(slider.value) === to) return;
  slider.value = to;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
}

(async () => {
  for (const folded of document.querySelectorAll("main details:not(.plot-table)")) folded.open = true;
  await settle();
  await settle();
  look("as it begins");
  const sliders = [...document.querySelectorAll("main .control input[type=range]")];
  for (const slider of sliders) {
    const before = slider.value;
    for (const share of [0, 0.5, 1]) {
      move(slider, share);
      look(`${slider.name} at ${slider.value}`);
    }
    slider.value = before;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }
  for (const share of [0, 0.5, 1]) {
    for (const slider of sliders) move(slider, share);
    look(`everything at ${share}`);
  }
  for (const choice of document.querySelectorAll("main section.trial :is([type=radio], [type=checkbox])")) {
    choice.click();
    look(`${choice.name} ${choice.value}`);
  }
  for (const button of document.querySelectorAll("main [data-action]")) {
    if (slow.includes(button.dataset.action) || button.disabled) continue;
    button.click();
    await settle();
    look(button.dataset.action);
  }
  done([[...found].map(([what, set]) => `${what}: ${set}`), looks, seen]);
})();
"""
"""Everything that can be set, to its ends and its middle, with all that is folded open; then every button."""


def words_stand_apart(lesson: Lesson, slug: str) -> None:
    """Find no words that meet, whatever is set, and no caption of a table that speaks of the drawing."""
    found, looks, words = lesson.browser.execute_async_script(WALK, SLOW.get(slug, []))
    assert found[:20] == [], len(found)
    assert looks > 3
    assert words > 0
    if slug not in WHEELS and lesson.has(".plot-table"):
        assert commands(lesson) == []

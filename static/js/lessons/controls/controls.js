/** What somebody may change on a page: sliders with a field beside them, and choices. */

import { element } from "../../page/page.js";
import { keep } from "./address.js";
import { wantedAmong, wantedNumber } from "./link.js";
import { read } from "./read_number.js";
import { tell } from "../drawing/renew.js";
import { number, say } from "../words.js";

/**
 * Sliders with fields. While one holds something that cannot be used it says so at the field; nothing is computed
 * from it, what is `shown` stays as it was, dimmed, under a sentence that says so, and nothing new can be asked for.
 * They begin as the address of the page says, and keep it up to date.
 *
 * @template {string} Name
 * @param {Record<Name, Setting>} settings @param {(values: Record<Name, number>) => void} work run at once, and after every change
 * @param {HTMLElement[]} shown what shows the results
 * @param {(usable: boolean, note: HTMLElement) => void} [allow] lets actions be asked for or not; the buttons of the same section unless it is given
 * @returns {Panel<Name>}
 */
export function controls(settings, work, shown, allow = buttonsBeside) {
  /** @type {Map<string, ReturnType<typeof control>>} */
  const all = new Map();
  const note = element("p.kept-note", { role: "status" });
  const run = () => {
    const values = [...all].map(([name, { value }]) => /** @type {const} */ ([name, value()]));
    const good = values.every(([, value]) => value !== null);
    for (const node of shown) {
      node.classList.toggle("stale", !good);
      for (const handle of node.querySelectorAll(".handle")) handle.setAttribute("aria-disabled", String(!good));
    }
    tell(note, good ? "" : say("control.kept"));
    allow(good, note);
    if (!good) return;
    for (const [name, value] of values) {
      const setting = settings[/** @type {Name} */ (name)];
      if (!setting.apart) keep(name, Number(value), setting.value);
    }
    work(/** @type {Record<Name, number>} */ (Object.fromEntries(values)));
  };
  for (const [name, setting] of /** @type {[Name, Setting][]} */ (Object.entries(settings))) {
    all.set(name, control(name, setting.apart ? setting : { ...setting, value: wantedNumber(name, setting.value, setting) }, run));
  }
  /** @param {Partial<Record<Name, number>>} values */
  const fill = (values) => {
    for (const [name, value] of Object.entries(values)) all.get(name)?.set(Number(value));
    run();
  };
  run();
  return {
    node: element("div.controls", ...[...all.values()].map(({ node }) => node), note),
    set: (name, value) => fill(/** @type {Partial<Record<Name, number>>} */ ({ [name]: value })),
    fill,
    rename: (name, label) => all.get(name)?.rename(label),
  };
}

/** @param {boolean} usable @param {HTMLElement} note stands among the controls */
function buttonsBeside(usable, note) {
  for (const each of note.closest("section")?.querySelectorAll("button") ?? []) each.disabled = !usable;
}

/** @param {string} name @param {Setting} setting @param {() => void} changed */
function control(name, setting, changed) {
  const { min, max, step, hint, log = false, whole } = setting;
  let { label } = setting;
  const along = (/** @type {number} */ number) => (log ? Math.log10(number) : number); // where it stands on the slider
  const back = (/** @type {number} */ place) => {
    const power = Number((10 ** place).toPrecision(2));
    return log ? Math.min(max, Math.max(min, whole ? Math.round(power) : power)) : place;
  };
  const [id, limits, wrong] = [`control-${name}`, `control-${name}-limits`, `control-${name}-error`];
  /** @type {number | null} */
  let value = setting.value;
  const slider = element("input", { type: "range", min: along(min), max: along(max), step, value: along(setting.value), name, "aria-label": label,
    "aria-valuetext": log && number(setting.value, 6),
    oninput: () => { set(back(Number(slider.value))); changed(); } });
  const field = element("input", { id, type: "text", inputmode: "decimal", autocomplete: "off", value, "aria-describedby": limits,
    oninput: () => { take(); changed(); } });
  const range = element("p.hint", { id: limits }, hint ? `${hint} ` : "",
    say("control.limits", { low: number(min, 6), high: number(max, 6) }));
  const error = element("p.error", { id: wrong, role: "alert", hidden: true });
  const named = element("label", { for: id }, label);

  function take() {
    const typed = read(field.value, setting);
    value = "value" in typed ? typed.value : null;
    if (value !== null) slider.value = String(along(value));
    if (value !== null && log) slider.setAttribute("aria-valuetext", number(value, 6));
    error.hidden = value !== null;
    range.hidden = value === null;
    field.setAttribute("aria-describedby", value === null ? wrong : limits);
    field.setAttribute("aria-invalid", String(value === null));
    tell(error, "problem" in typed ? say(typed.problem, { name: label, low: number(min, 6), high: number(max, 6), value: field.value.trim() }) : "");
  }

  /** @param {number} wanted */
  function set(wanted) {
    field.value = String(wanted);
    take();
  }

  /** @param {string} words */
  function rename(words) {
    label = words;
    named.textContent = words;
    slider.setAttribute("aria-label", words);
    take();
  }

  return {
    node: element("div.control", named, element("div.control-pair", slider, field), range, error),
    value: () => value,
    set,
    rename,
  };
}

/**
 * One of a few, as radio buttons. Where the address asks for another one than `chosen`, that is a change like any other,
 * as soon as all of the page is there.
 *
 * @param {string} name @param {string} legend @param {readonly (readonly [string, string])[]} options value and words
 * @param {string} chosen @param {(value: string) => void} changed
 */
export function choices(name, legend, options, chosen, changed) {
  const [asked = chosen] = wantedAmong(name, options.map(([value]) => value), [chosen], legend);
  const take = (/** @type {string} */ value) => { keep(name, value, chosen); changed(value); };
  if (asked !== chosen) queueMicrotask(() => changed(asked));
  return element("fieldset.choices", element("legend.label", legend), ...options.map(([value, words]) => (
    element("label.choice", element("input", { type: "radio", name, value, checked: value === asked, onchange: () => take(value) }), words))));
}

/** @param {string} words @param {() => void} onclick @param {string} [look] @param {string} [action] names it for tests */
export const button = (words, onclick, look = "", action = "") => element(/** @type {"button"} */ (`button.button.small${look && `.${look}`}`),
  { type: "button", "data-action": action || undefined, onclick: () => onclick() }, words);

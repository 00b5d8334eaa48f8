/** Two tables side by side, and lines between what fits. */

import { drawing, element } from "../../page/page.js";
import { say } from "../words.js";
import { fitting, LIST, PATIENTS, published } from "./people.js";

/** @typedef {import("./people.js").Level} Level */

/** @param {string} caption @param {readonly string[]} head @param {readonly HTMLElement[]} rows */
const table = (caption, head, rows) => element("table.meeting-table", element("caption", caption),
  element("thead", element("tr", ...head.map((words) => element("th", { scope: "col" }, words)))), element("tbody", ...rows));

/** @param {number} chosen @param {(person: number) => void} choose */
export function twoTables(chosen, choose) {
  const cells = PATIENTS.map(() => element("td.meeting-known"));
  const patients = PATIENTS.map(({ illness }, line) => element("tr", { "data-line": line }, /** @type {HTMLElement} */ (cells[line]), element("td", say(`illness.${illness}`))));
  const people = LIST.map(({ name, age, postcode }, person) => element("tr", { "data-person": person },
    element("th", { scope: "row" }, element("label.meeting-name", element("input", { type: "radio", name: "person", value: name, checked: person === chosen, onchange: () => choose(person) }), say(`person.${name}`))),
    element("td.meeting-known", `${age}, ${postcode}`)));
  const lines = drawing("svg", { class: "meeting-lines", "aria-hidden": "true" });
  const node = element("div.meeting",
    table(say("tables.hospital"), [say("tables.known"), say("tables.illness")], patients), lines,
    table(say("tables.list"), [say("tables.name"), say("tables.known")], people));
  let now = { level: /** @type {Level} */ ("exact"), person: chosen };

  /** From the person's line to each line that fits. */
  function join() {
    const box = lines.getBoundingClientRect();
    const middle = (/** @type {HTMLElement | undefined} */ row) => {
      const { top, height } = /** @type {HTMLElement} */ (row).getBoundingClientRect();
      return top + height / 2 - box.top;
    };
    const from = middle(people[now.person]);
    lines.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
    lines.replaceChildren(...fitting(now.level, /** @type {import("./people.js").Listed} */ (LIST[now.person])).map((line) => {
      const to = middle(patients[line]);
      return drawing("path", { class: "meeting-line", pathLength: 1, d: `M${box.width} ${from}C${box.width / 2} ${from} ${box.width / 2} ${to} 0 ${to}` });
    }));
  }
  new ResizeObserver(join).observe(node);

  return {
    node,
    /** @param {Level} level @param {number} person */
    show(level, person) {
      now = { level, person };
      const fits = new Set(fitting(level, /** @type {import("./people.js").Listed} */ (LIST[person])));
      PATIENTS.forEach((patient, line) => {
        const { age, postcode } = published(level, patient);
        /** @type {HTMLElement} */ (cells[line]).textContent = `${age}, ${postcode}`;
        patients[line]?.classList.toggle("fits", fits.has(line));
      });
      people.forEach((row, index) => row.classList.toggle("fits", index === person));
      join();
    },
  };
}

/** Why names removed are not enough: two tables meet, and what is published more coarsely meets its own attack. */

import { element } from "../../page/page.js";
import { keep } from "../controls/address.js";
import { choices } from "../controls/controls.js";
import { wantedAmong } from "../controls/link.js";
import { part } from "../places.js";
import { dataTable } from "../data_table.js";
import { fixed, number, say } from "../words.js";
import "./rate.js";
import { attack, count, farthest, LEVELS, LIST, PATIENTS, promised } from "./people.js";
import { twoTables } from "./tables.js";

const outcome = element("p.outcome.meeting-outcome", { role: "status", "data-value": "attack" });
let level = /** @type {import("./people.js").Level} */ ("exact");
const [beginning = LIST[0]?.name] = wantedAmong("person", LIST.map(({ name }) => name), []);
let person = LIST.findIndex(({ name }) => name === beginning);

/** @param {string} illness */
const named = (illness) => say(`illness.${illness}`);

function show() {
  const chosen = /** @type {import("./people.js").Listed} */ (LIST[person]);
  const { attack: kind, lines, own, others, often } = attack(level, chosen);
  outcome.replaceChildren(element("strong", say(`attack.${kind}`)), " ", say(`learned.${kind}`, {
    name: say(`person.${chosen.name}`), lines: number(lines.length), illness: named(own), others: others.map(named).join(", "),
    kinds: number(others.length + 1), often: named(often), here: number(count(often, lines)), all: number(count(often)), patients: number(PATIENTS.length) }));
  tables.show(level, person);
}

const tables = twoTables(person, (chosen) => {
  person = chosen;
  keep("person", LIST[person]?.name ?? "", LIST[0]?.name ?? "");
  show();
});
part("controls").append(choices("published", say("published.legend"), LEVELS.map((option) => [option, say(`published.${option}`)]), level,
  (chosen) => { level = LEVELS.find((option) => option === chosen) ?? "exact"; show(); }));
part("result").append(outcome, tables.node);
part("promises").append(dataTable(say("promises.caption"), [say("published.legend"), say("promises.k"), say("promises.l"), say("promises.t")],
  LEVELS.map((option) => [say(`published.${option}`), number(promised(option).k), number(promised(option).l), fixed(farthest(option), 2)])));
show();

/** The three mechanisms beside the picture: which of them is filled there, and the exact numbers of all. */

import { element } from "../../page/page.js";
import { choices } from "../controls/controls.js";
import { inColumn } from "../small_chances.js";
import { number, say } from "../words.js";

/** @typedef {import("./sorted_losses.js").Device} Device */

/**
 * Radio buttons as the first cells of a table.
 *
 * @param {readonly string[]} kinds @param {string} chosen @param {(kind: string) => void} choose
 */
export function three(kinds, chosen, choose) {
  const node = choices("kind", say("mechanism"), kinds.map((kind) => [kind, ""]), chosen, choose);
  const lines = [...node.querySelectorAll("label")].map((name) => {
    const words = element("span");
    name.append(words);
    const cells = [element("td.number"), element("td.number")];
    return { words, cells, row: element("tr", element("th", { scope: "row" }, name), ...cells) };
  });
  const at = element("th", { scope: "col" });
  const table = element("table.data.three", { "data-value": "table" },
    element("thead", element("tr", at, ...[say("tail.short"), "δ"].map((words) => element("th.number", { scope: "col" }, words)))),
    element("tbody", ...lines.map(({ row }) => row)));
  node.append(table);
  return {
    node,
    table,
    /** @param {readonly Device[]} devices in the order of the kinds @param {string} drawn @param {number} epsilon */
    show(devices, drawn, epsilon) {
      at.textContent = say("compared.table", { epsilon: number(epsilon) });
      devices.forEach(({ kind, mechanism, parameter }, index) => {
        const { words, cells, row } = lines[index] ?? {};
        if (words) words.textContent = say(`set.${kind}`, { value: number(parameter) }).replace(" = ", "\u00a0=\u00a0"); // in one line
        [mechanism.exceeds, mechanism.delta].forEach((of, place) => cells?.[place]?.replaceChildren(inColumn(of(epsilon, parameter))));
        row?.classList.toggle("drawn", kind === drawn);
      });
    },
  };
}

/** Several lines that are pasted into an option are options, in the language of the field. */

/** @typedef {Record<string, string>} Texts the text of an option by language */

/**
 * Put lines into the options of a question: from one option on into those without a text in this language, so that
 * a list of translations goes beside the options that it translates; then as new ones.
 *
 * @param {Texts[]} list changed in place
 * @param {number} at the option into which they are pasted
 * @param {string} code the language
 * @param {readonly string[]} lines
 * @param {number} most options that the question may have
 * @param {() => Texts} blank makes an empty option
 * @returns {{ last: number, left: number }} the place of the last line, and how many found no room
 */
export function pasteLines(list, at, code, lines, most, blank) {
  const rest = [...lines];
  let last = at;
  for (let place = list[at]?.[code] ? at + 1 : at; rest.length; place += 1) {
    let row = list[place];
    if (!row || row[code]) {
      if (list.length >= most && !makeRoom(list, place)) break;
      list.splice(place, 0, row = blank());
    }
    row[code] = rest.shift() ?? "";
    last = place;
  }
  // Rows behind it that wait for a text are what the lines were for.
  list.splice(last + 1, list.length, ...list.slice(last + 1).filter(written));
  return { last, left: rest.length };
}

/** An empty option behind a place gives way. @param {Texts[]} list @param {number} from @returns {boolean} whether there was one */
function makeRoom(list, from) {
  const empty = list.findIndex((row, n) => n >= from && !written(row));
  if (empty >= 0) list.splice(empty, 1);
  return empty >= 0;
}

/** @param {Texts} row */
const written = (row) => Object.values(row).some((text) => text.trim());

/** Several lines that are pasted into an option are options, in the language of the field. */

import { newUid } from "./units.js";

/**
 * Put lines into the options of a question: from one option on into those without a text in this language, so that
 * a list of translations goes beside the options that it translates; then as new ones.
 *
 * @param {DraftOption[]} options changed in place
 * @param {number} at the option into which they are pasted
 * @param {string} code the language
 * @param {readonly string[]} lines
 * @param {number} most options that the question may have
 * @returns {{ last: number, left: number }} the place of the last line, and how many found no room
 */
export function pasteLines(options, at, code, lines, most) {
  const rest = [...lines];
  let last = at;
  for (let place = options[at]?.text?.[code] ? at + 1 : at; rest.length; place += 1) {
    let option = options[place];
    if (!option || option.text?.[code]) {
      if (options.length >= most && !makeRoom(options, place)) break;
      option = { uid: newUid() };
      options.splice(place, 0, option);
    }
    option.text = { ...option.text, [code]: rest.shift() ?? "" };
    last = place;
  }
  // Options behind it that wait for a text are what the lines were for.
  options.splice(last + 1, options.length, ...options.slice(last + 1).filter(isWritten));
  return { last, left: rest.length };
}

/** An empty option behind a place gives way. @param {DraftOption[]} options @param {number} from @returns {boolean} whether there was one */
function makeRoom(options, from) {
  const empty = options.findIndex((option, n) => n >= from && !isWritten(option));
  if (empty >= 0) options.splice(empty, 1);
  return empty >= 0;
}

/** @param {DraftOption} option */
const isWritten = ({ text = {} }) => Object.values(text).some((words) => words.trim());

/** Help with a question, to be opened with one press. */

import { element, paragraphs, words } from "../page/page.js";

/** @param {Question} question */
export const help = (question) => element("details.help-with",
  element("summary", words("texts.help")), element("div", paragraphs(question.help ?? {})));

/** @param {Kind} kind @returns {Kind} */
export const dressed = (kind) => ({
  ...kind,
  dress(question, part) {
    kind.dress?.(question, part);
    part("note").after(help(question));
  },
});

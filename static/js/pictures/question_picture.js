/** The picture of a question, between its wording and its note. */

import { figure } from "./figure.js";

/** @param {Kind} kind @returns {Kind} */
export const dressed = (kind) => ({
  ...kind,
  dress(question, part) {
    kind.dress?.(question, part);
    if (question.picture) part("note").before(figure(question.picture));
  },
});

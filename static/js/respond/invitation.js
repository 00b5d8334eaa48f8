/** The page of a survey for those who were invited. */

import { element, words } from "../page/page.js";
import { dropInvitation, sentWith, takeInvitation, tokenIn } from "./invitation_token.js";

/** @type {Invite} */
export function invitation({ invitations, results }, fingerprint) {
  const { mark, token } = takeInvitation(sessionStorage, fingerprint, document.body.dataset["invitation"] ?? tokenIn(location.hash));
  // Out of the address, where others could read it, and out of what this page leaves behind.
  history.replaceState(history.state, "", location.pathname + location.search);
  addEventListener("hashchange", () => tokenIn(location.hash) && location.reload());
  const listed = invitations === "listed";
  return {
    part: listed ? "yes" : "no",
    mark,
    token,
    sent: sentWith(token),
    drop: (ended) => dropInvitation(sessionStorage, fingerprint, ended ? mark : ""),
    said: () => [
      ...(token ? [] : [element("div.notice.problem", element("p", words("invited.missing.text")))]),
      element("p", words("invited.who")),
      element("p", words("invited.apart"), " ", element("span", words(listed ? "invited.listed" : "invited.unlisted", () => ({ n: results.step }))),
        ...(document.body.dataset["together"] ? [" ", element("span", words("invited.together"))] : [])),
    ],
  };
}

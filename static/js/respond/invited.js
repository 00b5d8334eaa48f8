/** The page of a survey for those who were invited. The token of the link is kept in memory until it goes out. */

import { element, words } from "../page/page.js";
import { wordsScreen } from "./screens.js";
import { renewed, sentWith, tokenIn } from "./token.js";

/** @param {Page} page @param {Show} show */
export function invite(page, show) {
  const { definition, go } = page;
  const listed = definition.invitations === "listed";
  const token = document.body.dataset["invitation"] ?? tokenIn(location.hash);
  const kept = `candor ${document.body.dataset["fingerprint"]}`;

  // Out of the address, where others could read it, and out of what this page leaves behind.
  history.replaceState(history.state, "", location.pathname + location.search);
  addEventListener("hashchange", () => tokenIn(location.hash) && location.reload());
  page.guard(() => {
    const before = sessionStorage.getItem(kept);
    if (before) sessionStorage.setItem(kept, JSON.stringify(renewed(JSON.parse(before), token)));
  });

  page.invited = {
    part: listed ? "yes" : "no",
    sent: sentWith(token),
    said: () => [
      ...(token ? [] : [element("div.notice.problem", element("p", words("invited.missing.text")))]),
      element("p", words("invited.who")),
      element("p", words("invited.apart"), " ", element("span", words(listed ? "invited.listed" : "invited.unlisted", () => ({ n: definition.results.step }))),
        ...(document.body.dataset["together"] ? [" ", element("span", words("invited.together"))] : [])),
    ],
  };
  page.go = (above) => (token ? go(above) : show("uninvited", () => wordsScreen("invited.missing")));
}

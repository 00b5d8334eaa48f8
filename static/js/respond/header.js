/** Above every screen: a quick way out, how it works, whom to ask for help, and the languages. */

import { button } from "../page/buttons.js";
import { element } from "../page/element.js";
import { choose, code, live, paragraphs, say, words } from "../page/language.js";
import { linked } from "./contacts.js";

/** @type {Header} */
export function header({ help, languages, quick_exit }, leave) {
  const [ways, switcher] = ["ways", "languages"].map((id) => /** @type {HTMLElement} */ (document.getElementById(id)));
  ways?.replaceChildren(
    ...(quick_exit ? [button("quick.exit.button", "leave", leave, ".leave")] : []),
    element("a", { href: ways.dataset["learn"], target: "_blank", rel: "noopener noreferrer" }, words("header.learn")),
    ...(help ? [element("details", element("summary", words("header.help")), element("div.help", paragraphs(help, linked)))] : []));
  live(() => { if (switcher) switcher.ariaLabel = say("languages"); });
  switcher?.replaceChildren(...(languages.length < 2 ? [] : languages).map((lang) => {
    const press = element("button", { type: "button", lang, onclick: () => choose(lang) },
      new Intl.DisplayNames([lang], { type: "language" }).of(lang) ?? lang);
    live(() => { press.ariaPressed = String(lang === code); });
    return press;
  }));
}

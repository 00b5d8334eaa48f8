/** What stands above every screen: the way out, the lessons, help, and the languages. */

import { button, choose, code, element, live, paragraphs, say, words } from "../page/page.js";

/** In ASCII, so that a Korean particle may follow. A number to dial begins with + or 0 and is long, or is written `tel:112`. */
const CONTACT = new RegExp([
  String.raw`(https://[\w-]+(?:\.[\w-]+)*(?::\d+)?(?:[/?#](?:[\w./?#@!$&'*+,;=:%~-]*[\w/#=&~-])?)?)`,
  String.raw`(?:mailto:)?([\w.+%-]+@[\w-]+(?:\.[\w-]+)+)`,
  String.raw`tel:(\+?\d[\d ()-]*\d)`,
  String.raw`(?<![\w.,/-])((?:\+\d|\(?0\d)(?:[ ()-]{0,2}\d){5,13})(?![\w/])`,
].join("|"), "gu");

/** @type {Contacts} */
export function contacts(text) {
  /** @type {[string, string?][]} */
  const parts = [];
  let end = 0;
  for (const { 0: whole, 1: web, 2: mail, 3: short, 4: number = short ?? "", index } of text.matchAll(CONTACT)) {
    parts.push([text.slice(end, index)],
      web ? [web, web] : mail ? [mail, `mailto:${mail}`] : [number, `tel:${number.replace(/[^+\d]/g, "")}`]);
    end = index + whole.length;
  }
  return [...parts, /** @type {[string]} */ ([text.slice(end)])].filter(([shown]) => shown);
}

/** A web page opens elsewhere, and does not learn from where. A long address breaks after its at sign. @param {string} text @returns {(string | HTMLAnchorElement)[]} */
export const linked = (text) => contacts(text).map(([shown, href]) => (href
  ? element("a", { href, ...(href.startsWith("https:") && { target: "_blank", rel: "noopener noreferrer" }) },
    ...shown.split(/(?<=@)/u).flatMap((part, index) => (index ? [element("wbr"), part] : [part]))) : shown));

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
    live(() => { press.ariaPressed = String(lang === code()); });
    return press;
  }));
}

/** Texts with marks: emphasis, lists and links, built from the trees that travel with a survey. */

import { code, element, live, marks, own, say } from "./page.js";

/** In a heading or a label stand no blocks: there they are spans that look and read the same. @type {Record<string, string>} */
const SPANS = { p: "", ul: "list", ol: "list", li: "listitem" };

/** @param {Trees} published */
export function showMarks(published) {
  const trees = new Map(Object.entries(published));
  marks.blocks = (said, inside) => trees.get(said)?.flatMap((node) => build(node, inside));
  marks.text = (texts) => (Object.values(texts).some((said) => trees.has(said)) ? (node) => {
    const shown = element("span.marked");
    node.append(shown);
    live(() => {
      const said = texts[code()] ?? "";
      const blocks = trees.get(said) ?? [said];
      const [only, ...more] = blocks;
      const within = more.length === 0 && only?.[0] === "p" ? /** @type {Marked[]} */ (only.slice(1)) : blocks;
      shown.replaceChildren(...within.flatMap((node) => build(node, (part) => [part], true)));
    });
  } : undefined);
}

/** @param {Marked} node @param {(part: string) => Child[]} inside @param {boolean} [phrase] @returns {any[]} */
function build(node, inside, phrase = false) {
  if (typeof node === "string") return inside(node);
  const [tag, ...children] = node;
  if (tag === "a") return link(children);
  const within = children.flatMap((child) => build(child, inside, phrase));
  const role = SPANS[tag];
  if (!phrase || role === undefined) return [element(/** @type {"p"} */ (tag), ...within)];
  return [element(`span.${tag}`, { role: role || undefined }, ...within)];
}

/** It opens elsewhere, does not learn from where, and says that it leaves. @param {Marked[]} children */
function link([href, ...children]) {
  const web = String(href).startsWith("https:");
  return [
    element("a", { href: String(href), ...(web && { target: "_blank", rel: "noopener noreferrer" }) },
      ...children.flatMap((child) => build(child, (part) => [part], true))),
    element("span.leaves", { lang: own() }, ` (${say(web ? "marks.leaves" : "marks.mail")})`),
  ];
}

/**
 * The messages that the page says of surveys, without a browser: published surveys come in, one a line, and for each
 * goes out what its first screen says and what each question says of its chances, as keys with their values, and what
 * everybody reads on the first screen without unfolding anything.
 */

import { readFileSync } from "node:fs";

class Stub {
  /** @param {string} [data] */
  constructor(data = "") {
    Object.assign(this, { data, inner: [], dataset: {}, style: {}, classList: { add() {}, remove() {}, toggle() {} } });
  }

  /** @param {...any} nodes */
  append(...nodes) { /** @type {any} */ (this).inner.push(...nodes); }

  /** @param {...any} nodes */
  replaceChildren(...nodes) { /** @type {any} */ (this).inner = nodes; }

  setAttribute() {}
  removeAttribute() {}
  addEventListener() {}
}

const messages = new Proxy({}, { get: (_, key) => key === "kind.sets.times" ? "{low}..{high}" : `⟦${String(key)}${
  ["n", "all", "mean", "asked", "parts", "waves", "limit", "epsilon", "delta", "chance", "sampled", "boxes", "size", "box", "question", "mine", "own", "others"]
    .map((name) => `|${name}={${name}}`).join("")}⟧` });
Object.assign(globalThis, { Node: Stub, location: { protocol: "https:" }, document: {
  createElement: (/** @type {string} */ tag) => Object.assign(new Stub(), { tag }), createElementNS: () => new Stub(), createTextNode: (/** @type {string} */ data) => new Stub(data),
} });

const { speak } = await import("../../static/js/page/page.js");
const { askedQuestions, loadKinds, read, totalFigure } = await import("../../static/js/respond/definition.js");
const { welcomeScreen } = await import("../../static/js/respond/welcome.js");

/** @param {any} node @returns {string} */
const words = (node) => (typeof node === "string" ? node : `${node?.data ?? ""}${(node?.inner ?? []).map(words).join("")}`);

/** @param {any} node @returns {[string, Record<string, string>][]} */
const said = (node) => Array.from(words(node).matchAll(/⟦([^|⟧]+)([^⟧]*)⟧/gu), ([, key = "", values = ""]) => [
  key, Object.fromEntries(values.split("|").filter((value) => !value.endsWith("=") && value).map((value) => value.split("=")))]);

/** Neither buttons, nor who asks, nor what only some surveys say of telling results, waves and invitations. */
const BESIDES = /\b(toolbar|consent|who|telling|waves|invited)\b/u;

/** @param {any} node @returns {string} */
const unfolded = (node) => {
  if (typeof node === "string") return node;
  return node.tag === "details" || BESIDES.test(node.className) ? "" : [node.data ?? "", ...(node.inner ?? []).map(unfolded)].join(" ");
};

/** @param {any} published */
async function survey(published) {
  const definition = read(published);
  speak(/** @type {any} */ ({ en: messages }), ["en"], ["en"]);
  const kinds = await loadKinds(definition);
  const asked = askedQuestions(definition, Array.from({ length: Number(definition.asked ?? 0) }, (_, place) => place));
  const page = /** @type {any} */ ({ definition, kinds, asked, go() {} });
  /** @param {Question} question */
  const chances = (question) => {
    const kind = /** @type {Kind} */ (kinds.get(question));
    const { shares, so, bound, exact } = kind.odds(question, () => 0);
    const node = new Stub();
    const sets = ["cyclic", "designed"].includes(question.mechanism);
    const explained = sets ? [kind.explain(question, /** @type {any} */ ({}), {})] : [];
    for (const fill of [so, bound, exact, ...explained]) fill(/** @type {any} */ (node));
    // The odds of cards stand under their picture.
    const below = sets || question.mechanism === "subset" ? said(kind.device(question).node) : [];
    return { said: [...said(node), ...below], shares: shares.map(({ share }) => share) };
  };
  const first = { inner: welcomeScreen(page) };
  return {
    first: said(first),
    read: unfolded(first),
    total: said(totalFigure(page)),
    questions: definition.questions.map(chances),
  };
}

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  process.stdout.write(`${JSON.stringify(await survey(JSON.parse(line)))}\n`);
}

import globals from "globals";

import { vagueNames } from "./vague_names.js";

/** Where a report is drawn, checked or shown there is no second source of chance and no floating point. */
const DRAWING = ["chance/randomize", "chance/compact_form", "chance/sample", "devices/device", "devices/slices",
  "respond/session", "respond/question", "kinds/counted_skip", "kinds/yes_no", "kinds/choice", "kinds/boxes", "kinds/decimal",
  "kinds/number",
].map((name) => `**/static/js/${name}.js`);

/**
 * Which rooms of static/js a room may import: what an auditor reads in chance/ depends on nothing else.
 *
 * @type {Record<string, string[]>}
 */
const ROOMS = {
  chance: [],
  page: [],
  theory: ["chance"],
  devices: ["chance", "page"],
  kinds: ["chance", "page", "devices"],
  pictures: ["page", "respond"],
  respond: ["chance", "page", "kinds", "pictures"],
  drafts: ["chance", "page", "respond", "pictures"],
  surveys: ["page"],
  lessons: ["chance", "page", "theory", "devices"],
  public: ["chance", "page", "lessons", "respond"],
  results: ["page"],
};

const walls = Object.entries(ROOMS).map(([room, open]) => ({
  files: [`static/js/${room}/**/*.js`],
  rules: {
    "no-restricted-imports": ["error", { patterns: [{
      regex: `^(\\.\\./)+(${Object.keys(ROOMS).filter((other) => other !== room && !open.includes(other)).join("|")})/`,
      message: `${room}/ imports ${open.join(", ") || "no other room"}${open.length ? " only" : ""}.`,
    }] }],
  },
}));

const CONNECTS = ["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "localStorage"];

const SYNTAX = [{
  selector: "MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML|srcdoc)$/]",
  message: "Build elements; trusted types refuse markup in strings.",
}, {
  selector: "ExportNamedDeclaration > VariableDeclaration[declarations.length!=1]",
  message: "Export each const by itself: server/web/files/survey_scripts.py reads its name.",
}];

export default [
  {
    files: ["static/js/**/*.js", "tests/js/*.js"],
    languageOptions: { ecmaVersion: 2022, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    plugins: { candor: { rules: { "vague-names": vagueNames } } },
    rules: {
      "candor/vague-names": "error",
      "eqeqeq": "error",
      "no-console": "error",
      "no-eval": "error",
      "no-undef": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-var": "error",
      "prefer-const": "error",
      "max-lines": ["error", 300],
      "no-restricted-globals": ["error", ...CONNECTS],
      "no-restricted-properties": ["error",
        { object: "Math", property: "random", message: "Words come from crypto.getRandomValues alone." },
        { object: "navigator", property: "sendBeacon" }, { object: "document", property: "cookie" }],
      "no-restricted-syntax": ["error", ...SYNTAX],
    },
  },
  {
    files: DRAWING,
    rules: {
      "no-restricted-properties": ["error", ...["random", "exp", "log", "expm1", "log1p", "pow"].map((property) => (
        { object: "Math", property, message: "Whole numbers only, from one word." }))],
    },
  },
  ...walls,
  // A lesson keeps nothing and does nothing when it is left: tests open the next page from it.
  { files: ["static/js/lessons/**/*.js"], rules: {
    "no-restricted-globals": ["error", ...CONNECTS, "sessionStorage", "indexedDB", "caches"],
    "no-restricted-syntax": ["error", ...SYNTAX, { selector: "Literal[value=/^(pagehide|beforeunload|unload|visibilitychange)$/]", message: "A lesson does nothing when it is left." }],
  } },
  // The editor of staff asks its own server, and what they cannot save waits in their own browser; what respondents load connects nowhere.
  { files: ["static/js/drafts/request.js", "static/js/drafts/held.js", "static/js/surveys/inviting.js", "static/js/staff/account_link.js"], rules: { "no-restricted-globals": "off" } },
  // But for the pictures of a survey, all of which everybody asks for: nothing is sent with that.
  { files: ["static/js/pictures/loading.js"], rules: { "no-restricted-globals": ["error", "XMLHttpRequest", "WebSocket"] } },
  // And for leaves of a list that was counted, asked for by bits that many rows share, on a page that draws nothing.
  { files: ["static/js/public/ask_for_leaves.js"], rules: { "no-restricted-globals": ["error", "XMLHttpRequest", "WebSocket"] } },
  { files: ["tests/js/*.js"], languageOptions: { globals: globals.node } },
];

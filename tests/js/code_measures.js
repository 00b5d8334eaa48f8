/**
 * Measure scripts for tests/benchmarks/code_lines.py.
 *
 * Reads paths from the standard input, one a line, and prints as JSON for each: the lines with code, and how many
 * tokens, statements, functions and paths through its functions there are.
 */

import { readFileSync } from "node:fs";

import { parse } from "acorn";

const STATEMENT = /Statement$|Declaration$|^Export|^Import(?!.*Specifier)|^PropertyDefinition$/;
const FUNCTION = /Function/;
const BRANCH = new Set(["IfStatement", "ConditionalExpression", "LogicalExpression", "ForStatement", "ForInStatement",
  "ForOfStatement", "WhileStatement", "DoWhileStatement", "CatchClause"]);

/** @param {any} node @param {(node: any) => void} visit */
function walk(node, visit) {
  if (Array.isArray(node)) for (const child of node) walk(child, visit);
  else if (node && typeof node.type === "string") {
    visit(node);
    for (const child of Object.values(node)) if (child && typeof child === "object") walk(child, visit);
  }
}

/** @param {string} source */
function measure(source) {
  const lines = new Set();
  const measures = { lines: 0, tokens: 0, statements: 0, functions: 0, paths: 0 };
  const tree = parse(source, { ecmaVersion: 2023, sourceType: "module", locations: true, onToken({ type, loc }) {
    measures.tokens += type.label === "eof" ? 0 : 1;
    for (let line = loc?.start.line ?? 0; type.label !== "eof" && line <= (loc?.end.line ?? 0); line += 1) lines.add(line);
  } });
  walk(tree.body, ({ type, test }) => {
    if (STATEMENT.test(type) && type !== "BlockStatement") measures.statements += 1;
    if (FUNCTION.test(type)) measures.functions += 1;
    if (FUNCTION.test(type) || BRANCH.has(type) || (type === "SwitchCase" && test)) measures.paths += 1;
  });
  return { ...measures, lines: lines.size };
}

const paths = readFileSync(0, "utf8").split("\n").filter(Boolean);
process.stdout.write(JSON.stringify(Object.fromEntries(paths.map((path) => [path, measure(readFileSync(path, "utf8"))]))));

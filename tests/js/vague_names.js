/** Names that say nothing of what they hold. */
const VAGUE = new Set(["found", "each", "one", "given", "kept"]);

/** How many lines after its binding a variable with such a name may be read. */
const REACH = 5;

/**
 * Refuse such a name for a module, a function, a parameter and a property, and for a variable that is read far from its binding.
 *
 * @type {import("eslint").Rule.RuleModule}
 */
export const vagueNames = {
  meta: { type: "suggestion", schema: [], messages: { names: "`{{name}}` names a {{what}}.", far: "`{{name}}` is read {{lines}} lines after its binding." } },
  create(context) {
    /** @param {import("estree").Node} node @param {string} what */
    function refuse(node, what) {
      if (node.type === "Identifier" && VAGUE.has(node.name)) {
        context.report({ node, messageId: "names", data: { name: node.name, what } });
      }
    }

    /** @param {import("eslint").Scope.Variable} variable */
    function refuseFarReads({ defs, references }) {
      const bindings = [...defs.map(({ name }) => name), ...references.filter((reference) => reference.isWrite()).map(({ identifier }) => identifier)]
        .map(({ loc }) => loc?.start.line ?? 0);
      for (const { identifier } of references.filter((reference) => reference.isRead())) {
        const line = identifier.loc?.start.line ?? 0;
        const earlier = bindings.filter((binding) => binding <= line);
        const lines = earlier.length ? line - Math.max(...earlier) : Math.min(...bindings) - line;
        if (lines > REACH) context.report({ node: identifier, messageId: "far", data: { name: identifier.name, lines: String(lines) } });
      }
    }

    return {
      Program(node) {
        for (const name of context.filename.replace(/\.js$/, "").split("/").filter((part) => VAGUE.has(part))) {
          context.report({ node, messageId: "names", data: { name, what: "module" } });
        }
        for (const { variables } of context.sourceCode.scopeManager.scopes) {
          for (const variable of variables.filter(({ name }) => VAGUE.has(name))) {
            const parameter = variable.defs.find(({ type }) => type === "Parameter");
            if (parameter) refuse(parameter.name, "parameter");
            else if (!variable.defs.some(({ type }) => type === "FunctionName")) refuseFarReads(variable);
          }
        }
      },
      "FunctionDeclaration, FunctionExpression"({ id }) {
        if (id) refuse(id, "function");
      },
      "VariableDeclarator[init.type=/Function/]"({ id }) {
        refuse(id, "function");
      },
      // What `say` is given are the names in the sentence that it looks up.
      ":not(CallExpression[callee.name=say]) > ObjectExpression > Property[computed=false]"({ key }) {
        refuse(key, "property");
      },
      "PropertyDefinition[computed=false], MethodDefinition[computed=false]"({ key }) {
        refuse(key, "property");
      },
      "AssignmentExpression > MemberExpression.left[computed=false]"({ property }) {
        refuse(property, "property");
      },
    };
  },
};

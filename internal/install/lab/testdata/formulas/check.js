// Renders the Markdown of notebooks as VS Code does, with KaTeX, and prints what is no formula there
// or not in KaTeX's LaTeX. The last line counts formulas.
"use strict";
const fs = require("fs");
const markdownIt = require("markdown-it");
const katex = require("@vscode/markdown-it-katex").default;

let where = "";
let formulas = 0;
const fault = (/** @type {string} */ what) => console.log(`${where}: ${what}`);

const md = markdownIt({ html: true, linkify: true });
md.use(katex, {
  globalGroup: true, enableBareBlocks: true, enableFencedBlocks: true,
  strict: (code, message) => { fault(`${code}: ${message}`); return "ignore"; },
});
const rules = md.renderer.rules;
for (const kind of Object.keys(rules).filter((kind) => kind.startsWith("math_"))) {
  const rule = rules[kind];
  rules[kind] = (tokens, k, ...rest) => {
    formulas++;
    const html = rule(tokens, k, ...rest);
    if (html.includes("katex-error")) fault(`${tokens[k].content}: ${/ParseError[^<]*/.exec(html)}`);
    return html;
  };
}
for (const kind of ["text", "html_block"]) {
  const rule = rules[kind];
  rules[kind] = (tokens, k, ...rest) => {
    if (/[$]|\\[a-zA-Z]/.test(tokens[k].content)) fault(`a formula that is none: ${tokens[k].content}`);
    return rule(tokens, k, ...rest);
  };
}
for (const file of process.argv.slice(2)) {
  for (const cell of JSON.parse(fs.readFileSync(file, "utf8")).cells) {
    where = `${file}, cell ${cell.id}`;
    const sources = (cell.outputs ?? []).map((o) => o.data?.["text/markdown"] ?? "");
    if (cell.cell_type === "markdown") sources.push(cell.source);
    for (const s of sources) md.render([].concat(s).join(""));
  }
}
console.log(`${formulas} formulas`);

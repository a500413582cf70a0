// Go as a cell has it, for the editor: words in the classes that Pygments gives them in the page, so that an opened
// editor changes no colour, and lines indented as gofmt indents them. A parser of Go would stumble over what a cell has
// beside Go: %%, statements without a function.

import { StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { Tag, tagHighlighter } from "@lezer/highlight";

/** @typedef {{rest: RegExp | undefined, kind: string, open: number[]}} State rest ends the comment or string that reaches beyond a line, open has the indentations of the lines whose brackets are open */

const words = /** @type {Map<string, string>} */ (new Map());
for (const [kind, list] of Object.entries({
	kn: "import package",
	kd: "var func struct type interface const",
	k: "break default select case defer go else goto switch fallthrough if range continue for return",
	kc: "true false iota nil",
	kt: "uint uint8 uint16 uint32 uint64 int int8 int16 int32 int64 float32 float64 map chan complex64 complex128 byte rune string bool error uintptr any comparable",
	nb: "print println panic recover close complex real imag len cap append copy delete new make min max clear", // before a bracket
})) for (const word of list.split(" ")) words.set(word, kind);

const others = /** @type {[string, RegExp][]} */ ([
	["m", /^(?:0[xXbBoO][\w.]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?i?)/],
	["c1", /^\/\/.*/],
	["sc", /^'(?:\\[^']+|\\'|[^\\'])'/u],
	["s", /^"(?:\\.|[^"\\])*"?/],
	["o", /^[-+*/%&!=<>|^:]?=|^(?:<<|>>|&\^)=?|^(?:&&|\|\||<-|\+\+|--)|^[-+*/%&!<>|^]/],
]);

const tags = Object.fromEntries([...new Set(words.values()), ...others.map(([kind]) => kind), "cm", "cp"].map((kind) => [kind, Tag.define()]));

// What may reach beyond its line: how it begins, and what ends it.
const long = /** @type {[string, string, RegExp][]} */ ([["cm", "/*", /^.*?\*\//], ["s", "`", /^[^`]*`/]]);

/** @param {import("@codemirror/language").StringStream} stream @param {State} state */
function token(stream, state) {
	if (state.rest) {
		if (stream.match(state.rest)) state.rest = undefined;
		else stream.skipToEnd();
		return state.kind;
	}
	if (stream.sol() && stream.match(/^[%!].*/)) return "cp";
	if (stream.eatSpace()) return null;
	const word = /** @type {RegExpMatchArray | null} */ (stream.match(/^[\p{L}_][\p{L}\p{Nd}_]*/u));
	return word ? classOf(word[0], stream.peek()) : mark(stream, state);
}

/** @param {string} word @param {string | undefined} next the letter behind it */
function classOf(word, next) {
	const kind = words.get(word);
	return kind && (kind !== "nb" || next === "(") ? kind : null;
}

/** @param {import("@codemirror/language").StringStream} stream @param {State} state @returns {string | null} the class of what is no word */
function mark(stream, state) {
	for (const [kind, start, rest] of long) {
		if (!stream.match(start)) continue;
		Object.assign(state, { kind, rest });
		return kind;
	}
	for (const [kind, pattern] of others) if (stream.match(pattern)) return kind;
	const one = stream.next() ?? "";
	if ("([{".includes(one)) state.open.push(stream.indentation());
	else if (")]}".includes(one)) state.open.pop();
	return null;
}

const language = StreamLanguage.define({
	name: "go",
	startState: () => /** @type {State} */ ({ rest: undefined, kind: "", open: [] }),
	token,
	tokenTable: tags,
	indent: ({ rest, open }, after, { unit }) => {
		if (rest) return null;
		const outer = open.at(-1);
		if (outer === undefined) return 0;
		return /^(?:[)\]}]|case\b|default\s*:)/.test(after) ? outer : outer + unit;
	},
	languageData: { commentTokens: { line: "//" }, indentOnInput: /^\s*(?:[)\]}]|case\s|default:)$/ },
});

export const go = [language, syntaxHighlighting(tagHighlighter(Object.entries(tags).map(([kind, tag]) => ({ tag, class: kind }))))];

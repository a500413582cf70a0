// The editor of a cell: CodeMirror with Go, in the looks of the page.

import { defaultKeymap, history, historyKeymap, indentLess, insertTab } from "@codemirror/commands";
import { bracketMatching, forceParsing, indentOnInput, indentUnit } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { StyleModule } from "style-mod";
import { go } from "./golang.js";
import { marks, setMarks } from "./marks.js";

/** @typedef {import("./marks.js").Mark} Mark */

// The policy of a page admits no style elements, and admits sheets that scripts make.
const sheet = new CSSStyleSheet(), mounted = /** @type {Set<StyleModule>} */ (new Set());
StyleModule.mount = (_root, modules) => {
	for (const module of [modules].flat()) mounted.add(module);
	sheet.replaceSync([...mounted].map((module) => module.getRules()).join("\n"));
	if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.push(sheet);
};

const common = [
	go, marks, history(), indentOnInput(), bracketMatching(),
	EditorState.tabSize.of(4), indentUnit.of("\t"), // as gofmt has them, and as wide as in the page
	EditorView.domEventHandlers({ blur: (_event, view) => { view.setTabFocusMode(false); } }),
];

/**
 * Puts an editor into an element.
 * @param {HTMLElement} host @param {string} text
 * @param {{label: string, help: string, changed: (text: string) => void, run: () => void}} page label names the editor, help is the
 * id of the element that says which keys it has
 */
export function edit(host, text, { label, help, changed, run }) {
	const runs = () => {
		run();
		return true;
	};
	const leave = (/** @type {EditorView} */ view) => {
		view.setTabFocusMode(true);
		return false; // the key does what else it does
	};
	const view = new EditorView({ parent: host, doc: text, extensions: [
		keymap.of([
			...["Shift-Enter", "Ctrl-Enter", "Mod-Enter"].map((key) => ({ key, run: runs })),
			{ key: "Tab", run: insertTab, shift: indentLess }, { key: "Escape", run: leave }, ...historyKeymap, ...defaultKeymap,
		]),
		common,
		EditorView.contentAttributes.of({ "aria-label": label, "aria-describedby": help, tabindex: "0" }), // axe-core asks for the tabindex
		EditorView.updateListener.of((update) => {
			if (!update.docChanged) return;
			view.setTabFocusMode(false);
			changed(view.state.doc.toString());
		}),
	] });
	forceParsing(view, text.length, 500); // else its colours may come later than its letters
	return {
		focus: () => view.focus(),
		/** Replaces the code; that can be undone. @param {string} now */
		set: (now) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: now } }),
		/** Shows what is wrong until the next edit. @param {Mark[]} wrong */
		mark: (wrong) => view.dispatch({ effects: setMarks.of(wrong) }),
		end: () => view.destroy(),
	};
}

// What is wrong with a cell, at its lines: a mark before the line, a line below the place, the message behind it.
// Nothing moves up or down, and an edit takes all of it away.

import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, WidgetType } from "@codemirror/view";

/** @typedef {{line: number, column: number, message: string}} Mark line and column from 1; the column, of UTF-16, is 0 if it is not known */

class Message extends WidgetType {
	/** @param {string} text */
	constructor(text) {
		super();
		this.text = text;
	}

	/** @param {Message} other */
	eq(other) {
		return other.text === this.text;
	}

	toDOM() {
		const e = document.createElement("span");
		e.className = "go-wrong-why";
		e.textContent = this.text;
		return e;
	}
}

/** @type {import("@codemirror/state").StateEffectType<Mark[]>} */
export const setMarks = StateEffect.define();

/** @param {import("@codemirror/state").Text} doc @param {Mark} mark */
function decorations(doc, { line: number, column, message }) {
	const line = doc.line(Math.min(Math.max(number, 1), doc.lines)), found = [Decoration.line({ class: "go-wrong" }).range(line.from)];
	if (column > 0 && line.length > 0) {
		const from = Math.min(column - 1, line.length - 1), [word] = /^(?:[\p{L}\p{N}_]+|.)/u.exec(line.text.slice(from)) ?? [""];
		found.push(Decoration.mark({ class: "go-wrong-place" }).range(line.from + from, line.from + from + word.length));
	}
	found.push(Decoration.widget({ widget: new Message(message), side: 1 }).range(line.to));
	return found;
}

const field = StateField.define({
	create: () => Decoration.none,
	update(now, { docChanged, effects, newDoc }) {
		for (const e of effects) if (e.is(setMarks)) return Decoration.set(e.value.flatMap((mark) => decorations(newDoc, mark)), true);
		return docChanged ? Decoration.none : now;
	},
	provide: (own) => [EditorView.decorations.from(own), EditorView.contentAttributes.from(own, ({ size }) => /** @type {Record<string, string>} */ (size > 0 ? { "aria-invalid": "true" } : {}))],
});

export const marks = field;

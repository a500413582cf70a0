// The box for a line that a cell reads.

import { element } from "./element.js";

let boxes = 0;

/**
 * Asks for a line. Enter sends it, and a button ends the input, as Ctrl+D does in a terminal.
 * @param {string} prompt @param {boolean} password @param {(line: string | null) => void} send @returns {HTMLElement}
 */
export function asking(prompt, password, send) {
	const id = `go-input-${++boxes}`, box = element("form", { class: "go-input" });
	const input = /** @type {HTMLInputElement} */ (element("input", { id, type: password ? "password" : "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false" }));
	const end = element("button", { type: "button", title: "Ends the input (Ctrl+D)" }, "End of input");
	box.append(element("label", { for: id }, prompt || "The cell reads a line:"), input, element("button", { type: "submit" }, "Send"), end);
	const answer = (/** @type {string | null} */ line) => {
		box.remove();
		send(line);
	};
	box.onsubmit = (event) => {
		event.preventDefault(); // a page submits no forms
		answer(input.value);
	};
	end.onclick = () => answer(null);
	input.onkeydown = (event) => {
		event.stopPropagation(); // keys of the page are letters here
		if (event.key === "d" && event.ctrlKey && input.value === "") {
			event.preventDefault();
			answer(null);
		}
	};
	return box;
}

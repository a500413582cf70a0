// The code cells of a page: buttons to run and to edit each of them.

import { Kernel } from "./client.js";
import { element, Outputs } from "./outputs.js";

/** @typedef {import("./client.js").Output} Output */
/**
 * @typedef {{id: string, source: string, code?: HTMLElement, stored: HTMLElement[]}} Cell code shows the source, unless the page leaves the
 * cell out; stored are the outputs that those of a run replace
 * @typedef {Record<"Run" | "Edit", HTMLElement>} Buttons
 */

/**
 * Puts buttons below the cells of a page, and returns them by the ids of the cells.
 * @param {string} base the address of the folder with go.json @param {string} folder of the notebook @param {Cell[]} cells @returns {Map<string, Buttons>}
 */
export function enliven(base, folder, cells) {
	const kernel = new Kernel(base, folder);
	const sources = cells.map(({ source }) => source), buttons = /** @type {Map<string, Buttons>} */ (new Map());
	let loaded = false;
	cells.forEach((cell, i) => {
		const { code } = cell;
		if (!code) return;
		const run = element("button", { type: "button" }, "Run"), edit = element("button", { type: "button" }, "Edit"), place = element("div", { class: "go-outputs", "aria-live": "polite" });
		const bar = element("div", { class: "go-buttons" });
		bar.append(run, edit);
		buttons.set(cell.id, { Run: run, Edit: edit });
		if (cell.stored.length > 0) cell.stored[0].before(bar);
		else code.after(bar);
		bar.after(place);
		let running = false;
		run.onclick = async () => {
			if (running) return kernel.interrupt();
			running = true;
			run.textContent = "Stop";
			place.replaceChildren();
			for (const stored of cell.stored) stored.hidden = true;
			const outputs = new Outputs(place, (line) => kernel.input(line)), wait = element("p", { class: "go-wait" }, loaded ? "compiling…" : "loading Go’s compiler and linker, some 10 MB, once…");
			place.append(wait);
			const add = (/** @type {Output} */ o) => {
				wait.remove();
				outputs.add(o);
			};
			await kernel.execute(cell.id, sources[i], add, sources.slice(0, i))
				.then(() => { loaded = true; }, (why) => add({ output_type: "error", traceback: [String(why)] }));
			wait.remove();
			await outputs.end();
			running = false;
			run.textContent = "Run";
		};
		edit.onclick = () => {
			const area = /** @type {HTMLTextAreaElement} */ (element("textarea", { class: "go-source", spellcheck: "false", "aria-label": `code of the cell ${cell.id}`, rows: String(sources[i].split("\n").length + 1) }));
			area.value = sources[i];
			area.oninput = () => { sources[i] = area.value; };
			area.onkeydown = (event) => {
				if (event.key !== "Enter" || !event.shiftKey) return;
				event.preventDefault();
				run.click();
			};
			code.replaceWith(area);
			edit.remove();
			area.focus();
		};
	});
	return buttons;
}

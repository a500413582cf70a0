// What a cell prints and shows, and what it asks for, as elements of a page.

import { shown } from "./displays.js";
import { element } from "./element.js";
import { asking } from "./input.js";
import { Terminal } from "./terminal.js";

/** @typedef {import("./client.js").Output} Output */

document.head.append(element("link", { rel: "stylesheet", href: new URL("outputs.css", import.meta.url).href })); // axe-core reads no sheet that another imports

/** The displays of the page by their ids: as in JupyterLab, a cell may replace what one above has shown. */
const named = /** @type {Map<string, HTMLElement>} */ (new Map());

/** Shows the outputs of one run of a cell, in their order. */
export class Outputs {
	#last = Promise.resolve();
	#stream = "";
	#terminal = /** @type {Terminal | undefined} */ (undefined);
	#asked = /** @type {HTMLElement | undefined} */ (undefined);

	/** @param {HTMLElement} place @param {(line: string | null) => void} [input] gets the lines that the cell asks for; null ends them */
	constructor(place, input = () => {}) {
		this.place = place;
		this.input = input;
	}

	/** @param {Output} o */
	add(o) {
		this.#last = this.#last.then(() => this.#add(o)).catch((why) => this.#print("error", String(why)));
	}

	/** The cell has ended: what it asked for is no longer wanted. @returns {Promise<void>} when all is shown */
	end() {
		this.#last = this.#last.then(() => this.#asked?.remove());
		return this.#last;
	}

	/** @param {Output} o @returns {Promise<void> | void} */
	#add(o) {
		switch (o.output_type) {
			case "stream": return this.#print(o.name ?? "stdout", o.text ?? "");
			case "error": return this.#print("error", (o.traceback ?? []).join("\n"));
			case "input_request": return this.#ask(o.prompt ?? "", !!o.password);
			default: return this.#show(o);
		}
	}

	/** @param {string} stream @param {string} text */
	#print(stream, text) {
		if (!this.#terminal || this.#stream !== stream || stream === "error" || this.#terminal.place !== this.place.lastElementChild) {
			const pre = element("pre", stream === "error" ? { class: "error" } : { class: `go-${stream}`, "data-stream": stream });
			this.place.append(pre);
			[this.#terminal, this.#stream] = [new Terminal(pre), stream];
		}
		this.#terminal.write(text);
	}

	/** @param {string} prompt @param {boolean} password */
	#ask(prompt, password) {
		this.#asked?.remove();
		this.#asked = asking(prompt, password, (line) => {
			const typed = password ? "········" : line ?? "";
			if (line !== null) this.#print("stdin", `${prompt ? prompt + " " : ""}${typed}\n`);
			this.input(line);
		});
		this.place.append(this.#asked);
		this.#asked.querySelector("input")?.focus();
	}

	/** @param {Output} o */
	async #show(o) {
		const now = await shown(o, this.place), id = o.transient?.display_id ?? "", before = named.get(id);
		if (id && before?.isConnected) before.replaceWith(now);
		else this.place.append(now);
		if (id) named.set(id, now);
		if (now.scrollWidth > now.clientWidth) now.tabIndex = 0; // it scrolls, also by keys
	}
}

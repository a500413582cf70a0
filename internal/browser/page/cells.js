// The code cells of a page: buttons to run and to edit each of them, and what it then prints and shows.

import { Kernel } from "./client.js";

/** @typedef {import("./client.js").Output} Output */
/**
 * @typedef {{id: string, source: string, code?: HTMLElement, stored: HTMLElement[]}} Cell code shows the source, unless the page leaves the
 * cell out; stored are the outputs that those of a run replace
 * @typedef {Record<"Run" | "Edit", HTMLElement>} Buttons
 */

const colours = /\x1b\[[0-9;]*m/g; // eslint-disable-line no-control-regex
const figure = "application/vnd.marginalia.figure", limit = 30 << 20;

/** @param {string} name @param {Record<string, string>} attributes @param {string} [text] */
function element(name, attributes, text = "") {
	const e = document.createElement(name);
	for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
	e.textContent = text;
	return e;
}

/** @param {string} packed as Go's display.Pack does: deflated, in base64 @returns {Promise<Blob>} */
async function unpacked(packed) {
	const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
	const parts = [], reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
	for (let size = 0; ;) {
		const { done, value } = await reader.read();
		if (done) return new Blob(parts, { type: "image/svg+xml" });
		size += value.length;
		if (size > limit) throw new Error("the figure is too large");
		parts.push(value);
	}
}

/** @param {Blob} blob @returns {Promise<string>} its data: URL */
const dataURL = (blob) => new Promise((resolve, reject) => {
	const reader = new FileReader();
	reader.onload = () => resolve(String(reader.result));
	reader.onerror = reject;
	reader.readAsDataURL(blob);
});

/** The picture of a display; as an image, an SVG runs no scripts and loads nothing. @param {Record<string, unknown>} data @returns {Promise<HTMLElement>} */
async function shown(data) {
	const alt = String(data["text/plain"] ?? "");
	if (typeof data[figure] === "string") return element("img", { class: "plot", src: await dataURL(await unpacked(data[figure])), alt });
	for (const type of ["image/png", "image/jpeg"]) if (typeof data[type] === "string") return element("img", { src: `data:${type};base64,${data[type]}`, alt });
	return element("pre", {}, alt || String(data["text/markdown"] ?? data["text/html"] ?? ""));
}

/** Shows what a cell prints and shows, in its order. */
class Outputs {
	#last = Promise.resolve();
	#named = /** @type {Map<string, HTMLElement>} */ (new Map());

	/** @param {HTMLElement} place */
	constructor(place) {
		this.place = place;
	}

	/** @param {Output} o */
	add(o) {
		this.#last = this.#last.then(() => this.#add(o)).catch((why) => this.place.append(element("pre", { class: "error" }, String(why))));
	}

	/** @param {Output} o */
	async #add(o) {
		if (o.output_type === "stream") {
			const last = this.place.lastElementChild;
			if (last instanceof HTMLElement && last.dataset.stream === o.name) last.append(o.text ?? "");
			else this.place.append(element("pre", { "data-stream": o.name ?? "" }, o.text));
		} else if (o.output_type === "error") {
			this.place.append(element("pre", { class: "error" }, (o.traceback ?? []).join("\n").replace(colours, "")));
		} else {
			const now = await shown(o.data ?? {}), id = o.transient?.display_id ?? "", before = this.#named.get(id);
			if (before) before.replaceWith(now);
			else this.place.append(now);
			if (id) this.#named.set(id, now);
		}
	}
}

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
			const outputs = new Outputs(place), wait = element("p", { class: "go-wait" }, loaded ? "compiling…" : "loading Go’s compiler and linker, some 10 MB, once…");
			place.append(wait);
			const add = (/** @type {Output} */ o) => {
				wait.remove();
				outputs.add(o);
			};
			await kernel.execute(cell.id, sources[i], add, sources.slice(0, i))
				.then(() => { loaded = true; }, (why) => add({ output_type: "error", traceback: [String(why)] }));
			wait.remove();
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

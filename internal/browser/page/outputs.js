// What a cell prints and shows, as elements of a page.

/** @typedef {import("./client.js").Output} Output */

const colours = /\x1b\[[0-9;]*m/g; // eslint-disable-line no-control-regex
const figure = "application/vnd.marginalia.figure", limit = 30 << 20;

/** An element of the page. @param {string} name @param {Record<string, string>} attributes @param {string} [text] */
export function element(name, attributes, text = "") {
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
export class Outputs {
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

// Shows figures in pages that nbconvert makes and in JupyterLab. An SVG with values under the mouse
// replaces the still, a PNG that the notebook has for other programs. The figure of plotting.Slide
// has a slider above it, and follows it by the frames that the notebook stores. While a program
// serves the slider, JupyterLab calls `live`, and `moved` asks the program for a frame.

export const figureType = "application/vnd.marginalia.figure";
export const sliderType = "application/vnd.marginalia.slider";

const limit = 30e6; // characters after unpacking, a hundred times what a notebook stores

/**
 * Unpacks text that is deflated (RFC 1951), in base64.
 * @param {string} packed
 */
async function unpack(packed) {
	const bytes = Uint8Array.from(atob(packed.trim()), (c) => c.charCodeAt(0));
	const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
	const chunks = [];
	let size = 0;
	for (let r = await reader.read(); !r.done; r = await reader.read()) {
		chunks.push(r.value);
		size += r.value.length;
		if (size > limit) throw new Error("figure: more than fits");
	}
	return new Blob(chunks).text();
}

/**
 * What a notebook stores of a slider. Most lines recur in the next frame, so each line is stored
 * once, and a frame is a list of their indices.
 * @typedef {{name: string, label: string, min: number, max: number, step: number,
 *   start: number, values: number[], lines: string[], frames: number[][]}} Stored
 */

/**
 * @param {string} packed
 * @returns {Promise<Stored>}
 */
async function stored(packed) {
	const s = JSON.parse(await unpack(packed));
	const { min, max, step, start } = s;
	if (![min, max, step, start, ...s.values].every(Number.isFinite) || !(min < max && step > 0) || s.values.length !== s.frames.length) {
		throw new Error("slider: no numbers, or not a frame for each value");
	}
	return s;
}

// The elements and attributes that plotting writes, without style. Nothing else stays, since
// frames may be hostile: no script, no link, no address. CSS escapes could spell url(), so no
// value may have a backslash.
const svg = "http://www.w3.org/2000/svg";
const elements = new Set(["svg", "g", "path", "circle", "image", "text", "title"]);
const attributes = new Set(("width height viewBox x y cx cy r d preserveAspectRatio text-anchor " +
	"fill fill-opacity fill-rule stroke stroke-opacity stroke-width stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin " +
	"font-size font-family font-weight font-style").split(" "));

/** @param {string} name @param {string} value */
function admitted(name, value) {
	switch (name) {
		case "role": return value === "img";
		case "aria-label": return true;
		case "transform": return /^[-+\w\s.,()]*$/.test(value);
		case "xml:space": return value === "preserve";
		case "xlink:href": return value.startsWith("data:image/png;base64,");
	}
	return attributes.has(name) && !/[\\(]/.test(value);
}

/**
 * Builds the figure that a document shows.
 * @param {string} text
 */
export function figure(text) {
	// A page that forbids inline styles complains of each that is parsed, and no style stays.
	const bare = text.replace(/<style>[^<]*<\/style>/g, "").replace(/ style="[^"]*"/g, "");
	// The parser of HTML takes a third of the time of that of XML.
	const root = new DOMParser().parseFromString(bare, "text/html").body.firstElementChild;
	if (!(root instanceof SVGSVGElement)) throw new Error("figure: it is not SVG");
	prune(root);
	return document.adoptNode(root);
}

/** Removes from an element all that is not admitted. @param {Element} e */
function prune(e) {
	for (const name of e.getAttributeNames()) if (!admitted(name, e.getAttribute(name) ?? "")) e.removeAttribute(name);
	for (let child = e.firstChild, next; child; child = next) {
		next = child.nextSibling;
		if (child instanceof Element && elements.has(child.localName) && child.namespaceURI === svg) prune(child);
		else if (!(child instanceof Text)) child.remove();
	}
}

const style = new CSSStyleSheet();
style.replaceSync(`
.marginalia-slider { display: flex; flex-wrap: wrap; align-items: center; gap: .2em .8em; margin: .3em 0 .5em; color: var(--jp-content-font-color1, inherit); font-family: var(--jp-content-font-family, inherit); font-size: var(--jp-content-font-size1, inherit); }
.marginalia-slider input { flex: 0 1 20em; min-width: 8em; margin: 0; accent-color: var(--jp-brand-color1, #1976d2); }
.marginalia-slider output { min-width: 3.5em; font-variant-numeric: tabular-nums; }
.marginalia-slider small { opacity: .75; }
.marginalia-figure { overflow: clip; }
.marginalia-figure svg { display: block; max-width: 100%; height: auto; font-family: 'DejaVu Sans', Verdana, sans-serif; }
.marginalia-figure image { image-rendering: pixelated; }
@media screen { [data-jp-theme-light="false"] .marginalia-figure svg { filter: invert(.93) hue-rotate(180deg); } } /* as plotting's SVG files have it */
@media print { .marginalia-slider input, .marginalia-slider small { display: none; } }
`);

// An empty element that a figure is shown in.
export function holder() {
	if (!document.adoptedStyleSheets.includes(style)) document.adoptedStyleSheets.push(style);
	const e = document.createElement("div");
	e.className = "marginalia-figure";
	return e;
}

/**
 * Replaces the still in host by the figure. The figure takes over the still's text alternative, which
 * may be the author's; its own is always plotting's.
 * @param {HTMLElement} host
 * @param {string} packed
 */
export async function show(host, packed) {
	const svg = figure(await unpack(packed));
	svg.ariaLabel = host.querySelector("img")?.alt || svg.ariaLabel;
	const picture = holder();
	picture.append(svg);
	host.replaceChildren(picture);
}

/**
 * Replaces the still in host by the slider and its figure.
 * @param {HTMLElement} host
 * @param {string} packed
 */
export async function slide(host, packed) {
	return new Slider(host, await stored(packed));
}

// The keys that move a slider. They must not reach JupyterLab and reveal.js.
const keys = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"]);

class Slider {
	/**
	 * Called at each move. For a live slider it has to call `draw` with the figure.
	 * @type {((value: number, live: boolean) => void) | null}
	 */
	moved = null;
	#live = false;

	/**
	 * Replaces the still in host by a slider and its figure.
	 * @param {HTMLElement} host
	 * @param {Stored} stored
	 */
	constructor(host, stored) {
		this.stored = stored;
		this.value = stored.start;
		this.row = document.createElement("label");
		this.row.className = "marginalia-slider";
		this.row.dataset.preventSwipe = ""; // reveal.js turns no slide
		const name = document.createElement("span");
		name.textContent = stored.label;
		this.input = document.createElement("input");
		this.input.type = "range";
		this.input.ariaLabel = stored.label;
		this.shown = document.createElement("output");
		this.note = document.createElement("small");
		this.row.append(name, this.input, this.shown, this.note);
		this.picture = holder();
		// A frame's label describes that frame, the still's text alternative the whole slider.
		const still = host.querySelector("img");
		if (still?.alt) Object.assign(this.picture, { role: "group", ariaLabel: still.alt });
		this.picture.append(...(stored.frames.length ? [this.#frame(this.#nearest())] : host.childNodes));
		if (still && !stored.frames.length) Object.assign(still.style, { clipPath: "inset(36px 0 0)", marginTop: "-36px" }); // less its picture of a slider
		host.replaceChildren(this.row, this.picture);

		this.input.addEventListener("input", () => this.#move());
		this.row.addEventListener("keydown", (event) => {
			if (event.key === "Escape") { // back to the cell in JupyterLab, to the slides in reveal.js
				this.input.blur();
				/** @type {HTMLElement | null} */ (this.row.closest("[tabindex]"))?.focus();
			} else if (!keys.has(event.key)) {
				return;
			}
			event.stopPropagation();
		});
		this.#range();
	}

	/**
	 * Sets whether a program serves the slider, and the note beside it.
	 * @param {boolean} live
	 * @param {string} note
	 */
	live(live, note) {
		this.note.textContent = note;
		if (live === this.#live) return;
		this.#live = live;
		this.#range();
	}

	/** @param {string} text the figure, as SVG */
	draw(text) {
		this.picture.replaceChildren(figure(text));
	}

	#nearest() {
		const { values } = this.stored;
		return values.reduce((best, v, k) => (Math.abs(v - this.value) < Math.abs(values[best] - this.value) ? k : best), 0);
	}

	/** @param {number} k */
	#frame(k) {
		const { frames, lines } = this.stored;
		const size = frames[k].reduce((sum, i) => sum + lines[i].length, 0);
		if (size > limit) throw new Error("slider: a frame is too large");
		return figure(frames[k].map((i) => lines[i]).join("\n"));
	}

	// A live slider has its own steps, another one step per frame.
	#range() {
		const { min, max, step, values } = this.stored;
		const all = this.#live || values.length === 0;
		Object.assign(this.input, all ? { min, max, step } : { min: 0, max: values.length - 1, step: 1 });
		this.input.value = String(all ? this.value : this.#nearest());
		this.input.disabled = !this.#live && values.length < 2;
		this.#tell();
	}

	#move() {
		const at = this.input.valueAsNumber;
		this.value = this.#live ? at : this.stored.values[at];
		this.#tell();
		if (!this.#live) this.picture.replaceChildren(this.#frame(at));
		this.moved?.(this.value, this.#live);
	}

	// Three significant digits, and all digits before the point.
	#tell() {
		const v = this.value;
		this.shown.textContent = String(Number(Math.abs(v) < 1000 ? v.toPrecision(3) : v.toFixed(0)));
		this.input.setAttribute("aria-valuetext", this.shown.textContent);
	}
}

// In a page the figure follows the still. A slider without frames keeps it, and so does what cannot
// be unpacked.
const scripts = /** @type {NodeListOf<HTMLScriptElement>} */ (document.querySelectorAll(`script[type="${figureType}"], script[type="${sliderType}"]`));
for (const packed of scripts) {
	const host = /** @type {HTMLElement} */ (packed.previousElementSibling);
	const text = packed.textContent ?? "";
	const shown = packed.type === figureType ? show(host, text) : stored(text).then((s) => s.frames.length && new Slider(host, s));
	shown.catch(console.warn);
}

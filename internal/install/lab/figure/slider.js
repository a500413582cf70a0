// The figure of plotting.Slide has a slider above it, and follows it by the frames that the notebook stores. While a
// program serves the slider, JupyterLab calls `live`, and `moved` asks the program for a frame.

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

/**
 * Replaces the still in host by the slider and its figure.
 * @param {HTMLElement} host
 * @param {string} packed
 */
export async function slide(host, packed) {
	return new Slider(host, await stored(packed));
}

// The keys that move a slider. They must not reach JupyterLab and reveal.js.
const keys = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown", " "]);

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
		this.row = document.createElement("div");
		this.row.className = "marginalia-slider";
		this.row.dataset.preventSwipe = ""; // reveal.js turns no slide
		const name = document.createElement("span");
		name.textContent = stored.label;
		this.input = document.createElement("input");
		this.input.type = "range";
		this.input.ariaLabel = stored.label;
		this.shown = document.createElement("output");
		this.note = document.createElement("small");
		this.picture = holder();
		this.row.append(name, " ", this.input, this.shown); // the space shows on printed slides, where the row is no flex box
		if (Number.isInteger(stored.step) && Number.isInteger(stored.min)) { // its values are steps
			const place = Object.assign(document.createElement("span"), { className: "marginalia-player" });
			player(place, this.input, this.picture);
			this.row.append(place);
		}
		this.row.append(this.note);
		// A frame's label describes that frame, the still's text alternative the whole slider.
		const still = host.querySelector("img");
		if (still?.alt) Object.assign(this.picture, { role: "group", ariaLabel: still.alt });
		this.picture.append(...(stored.frames.length ? [this.#frame(this.#nearest())] : host.childNodes));
		if (still && !stored.frames.length) Object.assign(still.style, { clipPath: "inset(36px 0 0)", marginTop: "-36px" }); // less its picture of a slider
		host.replaceChildren(this.row, tools(stored.name, widthOf(this.picture)), this.picture);

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

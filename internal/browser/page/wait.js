// What stands in the place of a cell's outputs until the first comes.

import { element } from "./element.js";

const megabytes = (/** @type {number} */ bytes) => (bytes / 1e6).toFixed(1);

/** Shows that a cell waits: how much is loaded, then that it compiles. */
export class Wait {
	#line = element("p", { class: "go-wait" });
	#bar = element("progress", {});
	#does = element("span", {}, "loading");
	#size = element("span", { "aria-hidden": "true" }); // a screen reader would read it out again and again

	/** @param {HTMLElement} place @param {boolean} loads whether something may have to be loaded */
	constructor(place, loads) {
		const label = element("label", {});
		label.append(this.#does, " Go’s compiler and linker, once ", this.#bar);
		this.#line.append(label, this.#size);
		if (!loads) this.compiles();
		place.append(this.#line);
	}

	/** @param {number} loaded bytes @param {number} all */
	loaded(loaded, all) {
		this.#does.textContent = loaded < all ? "loading" : "starting"; // which takes seconds, too
		this.#bar.setAttribute("max", String(all));
		this.#bar.setAttribute("value", String(loaded));
		this.#size.textContent = ` ${megabytes(loaded)} of ${megabytes(all)} MB`;
	}

	compiles() {
		this.#line.textContent = "compiling…";
	}

	end() {
		this.#line.remove();
	}
}

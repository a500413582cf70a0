// A Go program in a worker of its own, so that the page never waits for it.

/** @typedef {{id: number, text?: string, error?: string}} Reply what the worker sends */

export class Program {
	#asked = /** @type {Map<number, {resolve: (text: string) => void, reject: (why: Error) => void}>} */ (new Map());
	#asks = 0;
	#worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });

	/** @param {URL} wasm the program, deflated @param {Record<string, string>} [files] what it may read: addresses by paths */
	constructor(wasm, files = {}) {
		this.wasm = wasm.href;
		this.files = files;
		this.#worker.addEventListener("message", (/** @type {MessageEvent<Reply>} */ { data }) => {
			const asked = this.#asked.get(data.id);
			this.#asked.delete(data.id);
			if (data.text === undefined) asked?.reject(new Error(data.error));
			else asked?.resolve(data.text);
		});
		this.#worker.addEventListener("error", (event) => {
			for (const { reject } of this.#asked.values()) reject(new Error(event.message || "the worker could not be loaded"));
			this.#asked.clear();
		});
	}

	/**
	 * Calls what the program serves under a name, and resolves to its answer. It starts the
	 * program if that does not run yet. Without a text it only starts it.
	 * @param {string} cell the cell of the notebook whose program serves the name, "" if there are no cells
	 * @param {string} name
	 * @param {string} [text]
	 * @returns {Promise<string>}
	 */
	ask(cell, name, text) {
		const id = ++this.#asks;
		return new Promise((resolve, reject) => {
			this.#asked.set(id, { resolve, reject });
			this.#worker.postMessage({ id, wasm: this.wasm, files: this.files, cell, name, text });
		});
	}
}

const told = /** @type {Set<string>} */ (new Set());

/** Tells the console why something does not move, once: a program that is not there fails for each part. @param {unknown} why */
export function tell(why) {
	const text = String(why);
	if (!told.has(text)) console.warn(why);
	told.add(text);
}

/** Calls a function once, when an element comes near the window. @param {Element} element @param {() => void} what */
export function near(element, what) {
	const seen = new IntersectionObserver((entries) => {
		if (!entries.some((e) => e.isIntersecting)) return;
		seen.disconnect();
		what();
	}, { rootMargin: "200px" });
	seen.observe(element);
}

// A page's side of a notebook's kernel.

import { controlled, keep } from "./keep.js";

/** @typedef {{output_type: string, name?: string, text?: string, data?: Record<string, unknown>, metadata?: Record<string, unknown>, transient?: {display_id: string}, ename?: string, evalue?: string, traceback?: string[], marks?: Mark[], prompt?: string, password?: boolean}} Output an input_request waits for what the method input sends */
/** @typedef {{cell: number, line: number, column: number, message: string}} Mark where in which cell an error is, all from 1; the column is 0 if it is not known */
/** @typedef {{ok: boolean, count: number}} Done */
/** @typedef {import("./given.js").Given} Given */

/** @typedef {{text: string, type: string, signature: string}} Name type is that of JupyterLab's completer */

/** A kernel, which starts with the first cell. */
export class Kernel {
	/** @type {Worker | undefined} */
	#worker;
	#last = 0;
	#kept = false;
	/** Is told which files in the folders of notebooks cells have written, and removed. @type {((path: string, bytes?: Uint8Array) => void) | undefined} */
	changed;
	#waiting = /** @type {Map<number, {show: (output: Output) => void, resolve: (done: any) => void, reject: (why: Error) => void}>} */ (new Map());

	/** Whether figures need a PNG: not where they are only shown. */
	stills = true;

	/** Is told how many bytes are loaded of how many, and when a cell has all that it needs. */
	progress = /** @type {(loaded: number, all: number, done: boolean) => void} */ (() => {});

	/** @param {string} base the address of the folder with go.json @param {string} folder of the notebook, in the kernel's files @param {Given[]} [given] files that the site has for cells, with whole addresses */
	constructor(base, folder, given = []) {
		this.base = new URL(base, document.baseURI).href;
		this.folder = folder;
		this.given = given;
	}

	/**
	 * Executes a cell after those that wait. above are the sources of the cells above it; without them,
	 * it is executed behind all cells that this kernel executed. A cell that is unnumbered takes no number of its own.
	 * @param {string} cell @param {string} source @param {(output: Output) => void} show @param {string[]} [above] @param {boolean} [unnumbered] @returns {Promise<Done>}
	 */
	execute(cell, source, show, above, unnumbered = false) {
		return this.#ask({ type: "execute", cell, source, above, unnumbered }, show);
	}

	/**
	 * The names that may stand at a place in a cell, with so many code points before it, and how many code points before it they replace.
	 * The cell stands behind all that this kernel executed.
	 * @param {string} cell @param {number} at @returns {Promise<{names: Name[], prefix: number}>}
	 */
	async complete(cell, at) {
		const { found, prefix } = await this.#ask({ type: "complete", cell, at });
		return { names: JSON.parse(found) ?? [], prefix };
	}

	/** The declaration of the name at a place in a cell, or of the function whose arguments are there; "" if none is known. @param {string} cell @param {number} at @returns {Promise<string>} */
	async inspect(cell, at) {
		return (await this.#ask({ type: "inspect", cell, at })).found;
	}

	/** Starts the kernel before its first cell. */
	begin() {
		this.#worker ??= this.#start();
	}

	/** @param {Record<string, unknown>} message @param {(output: Output) => void} [show] @returns {Promise<any>} */
	#ask(message, show = () => {}) {
		const worker = this.#worker ??= this.#start(), id = ++this.#last;
		return new Promise((resolve, reject) => {
			this.#waiting.set(id, { show, resolve, reject });
			worker.postMessage({ ...message, id });
		});
	}

	/** Gives the kernel a file, or takes it if there are no bytes. @param {string} path @param {Uint8Array} [bytes] */
	put(path, bytes) {
		(this.#worker ??= this.#start()).postMessage({ type: "put", path, bytes });
	}

	/** Sends the line that a cell has asked for, or ends its input. @param {string | null} line */
	input(line) {
		this.#worker?.postMessage({ type: "input", line });
	}

	/** Ends the program that runs; the cells above stay known. */
	interrupt() {
		this.#worker?.postMessage({ type: "interrupt" });
	}

	/** Ends the kernel. The next cell starts another. */
	end() {
		this.#fail("the kernel has ended");
	}

	/** @param {string} why */
	#fail(why) {
		this.#worker?.terminate();
		this.#worker = undefined;
		for (const { reject } of this.#waiting.values()) reject(new Error(why));
		this.#waiting.clear();
	}

	/** @param {{loaded: number, all: number, done?: boolean}} state */
	#progress({ loaded, all, done = false }) {
		if (done && !this.#kept) keep(this.base);
		this.#kept ||= done;
		this.progress(loaded, all, done);
	}

	#start() {
		const worker = new Worker(new URL("kernel.js", import.meta.url), { type: "module" });
		worker.onmessage = ({ data }) => {
			if (data.failed) return this.#fail(data.failed);
			if (data.changed) return this.changed?.(data.changed, data.bytes);
			if ("all" in data) return this.#progress(data);
			const w = this.#waiting.get(data.id);
			if (data.output) return w?.show(data.output);
			this.#waiting.delete(data.id);
			return w?.resolve(data.done);
		};
		worker.onerror = (event) => this.#fail(event.message || "the kernel cannot be loaded");
		worker.postMessage({ type: "start", base: this.base, folder: this.folder, stills: this.stills, controlled: Boolean(navigator.serviceWorker?.controller) });
		if (this.given.length > 0) worker.postMessage({ type: "put", path: "/etc/given.json", bytes: new TextEncoder().encode(JSON.stringify(this.given)) });
		void controlled(this.base).then((yes) => { if (yes) worker.postMessage({ type: "controlled" }); });
		return worker;
	}
}

// The code cells of a page: each runs, and can be edited. What is edited survives a reload, and can be sent as a link.

import { Kernel } from "./client.js";
import { Editing } from "./editing.js";
import { element } from "./element.js";
import { Outputs } from "./outputs.js";
import { carried, fragment, isLink } from "./share.js";
import { Wait } from "./wait.js";

/** @typedef {import("./client.js").Output} Output */
/** @typedef {import("./client.js").Mark} Mark */
/** @typedef {import("./given.js").Given} Given */
/**
 * @typedef {{id: string, source: string, code?: HTMLElement, offer?: HTMLElement, stored: HTMLElement[]}} Cell code shows the source and
 * offer has its buttons, unless the page leaves the cell out; stored are the outputs that those of a run replace
 */

/** @param {HTMLElement} button @param {string} does @param {string} what */
function label(button, does, what) {
	button.textContent = does;
	button.setAttribute("aria-label", `${does} ${what}`);
}

/** A cell that the page shows. */
class CodeCell {
	#place = element("div", { class: "go-outputs", "aria-live": "polite" });
	#where = element("p", { class: "go-where" });
	running = false;

	/** @param {Page} page @param {Cell} cell @param {HTMLElement} code @param {HTMLElement} offer */
	constructor(page, cell, code, offer) {
		this.page = page;
		this.id = cell.id;
		this.stored = cell.stored;
		this.button = /** @type {HTMLButtonElement} */ (offer.querySelector("[data-does=Run]"));
		this.editing = new Editing(cell.id, cell.source, code, offer, { run: () => void this.run(), link: () => page.link(), reset: () => this.clear(), taken: () => page.take() });
		if (cell.stored.length > 0) cell.stored[0].before(this.#place, this.#where);
		else this.editing.last.after(this.#place, this.#where);
	}

	/** Takes away the outputs of a run. */
	clear() {
		this.#place.replaceChildren();
		this.#where.replaceChildren();
		for (const stored of this.stored) stored.hidden = false;
	}

	/** Runs the cell, or ends it. */
	async run() {
		if (this.running) return this.page.kernel.interrupt();
		this.running = true;
		label(this.button, "Stop", `the cell ${this.id}`);
		this.clear();
		for (const stored of this.stored) stored.hidden = true;
		const { page } = this, sources = page.sources(), at = page.ids.indexOf(this.id);
		for (const cell of page.cells.values()) cell.editing.mark([]);
		const outputs = new Outputs(this.#place, (line) => page.kernel.input(line)), wait = new Wait(this.#place, !page.loaded);
		page.waits.add(wait);
		const add = (/** @type {Output} */ o) => {
			wait.end();
			outputs.add(o);
			if (o.marks) this.#mark(o.marks, sources);
		};
		await page.kernel.execute(this.id, sources[at], add, sources.slice(0, at))
			.then(() => { page.loaded = true; }, (why) => add({ output_type: "error", traceback: [String(why)] }));
		page.waits.delete(wait);
		wait.end();
		await outputs.end();
		for (const pre of this.#place.querySelectorAll(":scope > pre:not(.go-stdin)")) globalThis.marginaliaCopy?.(/** @type {HTMLElement} */ (pre)); // the site's pages have it
		this.running = false;
		label(this.button, "Run", `the cell ${this.id}`);
	}

	/** Shows what is wrong in the editors, unless their code has changed since, and says which cell is which. @param {Mark[]} marks @param {string[]} sources that ran */
	#mark(marks, sources) {
		for (const number of new Set(marks.map(({ cell }) => cell))) {
			const id = this.page.ids[number - 1], cell = this.page.cells.get(id), now = this.page.sources()[number - 1];
			if (now === sources[number - 1]) cell?.editing.mark(marks.filter((mark) => mark.cell === number));
			if (id === this.id || !cell) continue;
			this.#where.append(`cell [${number}] is `, element("a", { href: `#cell-id=${id}` }, `the cell ${id} above`), ". ");
		}
	}
}

/** The cells of a page. */
class Page {
	cells = /** @type {Map<string, CodeCell>} */ (new Map());
	waits = /** @type {Set<Wait>} */ (new Set());
	loaded = false;
	#all = false;
	#notice = element("p", { class: "go-notice" });

	/** @param {string} base @param {string} folder @param {Cell[]} cells @param {Given[]} given */
	constructor(base, folder, cells, given) {
		this.kernel = new Kernel(base, folder, given);
		this.kernel.stills = false;
		this.kernel.progress = (loaded, all, done) => {
			for (const wait of this.waits) if (done) wait.compiles(); else wait.loaded(loaded, all);
		};
		this.list = cells;
		this.ids = cells.map(({ id }) => id);
		for (const cell of cells) if (cell.code && cell.offer) this.cells.set(cell.id, new CodeCell(this, cell, cell.code, cell.offer));
	}

	/** @returns {string[]} the sources of all cells, as they are edited */
	sources() {
		return this.list.map(({ id, source }) => this.cells.get(id)?.editing.source ?? source);
	}

	/** Runs the cells in their order, or ends that. @param {HTMLElement} button */
	async runAll(button) {
		if (this.#all) {
			this.#all = false;
			return this.kernel.interrupt();
		}
		this.#all = true;
		label(button, "Stop all", "cells of the page");
		for (const cell of this.cells.values()) if (this.#all && !cell.running) await cell.run();
		this.#all = false;
		label(button, "Run all", "cells of the page");
	}

	/** @returns {Promise<string>} the address of the page with all edits */
	async link() {
		const edits = [...this.cells.values()].filter(({ editing }) => editing.edited).map(({ id, editing }) => /** @type {[string, string]} */ ([id, editing.source]));
		if (edits.length === 0) throw new Error("no cell of this page is edited: its own address is the link");
		return new URL(await fragment(new Map(edits)), location.href).href;
	}

	/** Shows what the address of the page carries, if it carries code. */
	async open() {
		const { hash } = location;
		this.#notice.remove();
		if (!isLink(hash)) return;
		try {
			const sources = await carried(hash);
			if (hash !== location.hash) return; // the reader has taken the code, or followed another link
			const here = [...sources.keys()].filter((id) => this.cells.has(id)), gone = sources.size - here.length;
			if (here.length === 0) throw new Error("this page has none of its cells");
			await Promise.all(here.map((id) => this.cells.get(id)?.editing.show(/** @type {string} */ (sources.get(id)))));
			this.#notice = element("p", { class: "go-notice", role: "status" }, "The link brought code for ");
			here.forEach((id, i) => this.#notice.append(i > 0 ? ", " : "", element("a", { href: `#cell-id=${id}` }, id)));
			this.#notice.append(`. Nothing of it has run: read it before you run it.${gone > 0 ? ` This page no longer has ${gone} of its cells.` : ""}`);
		} catch (why) {
			this.#notice = element("p", { class: "go-notice", role: "alert" }, `The link to edited code is broken: ${why instanceof Error ? why.message : why}. The page is as it is without it.`);
		}
		(document.querySelector("article[role=main]") ?? document.body).prepend(this.#notice);
	}

	/** Makes what a link brought the reader's own, since the reader has changed it: the address no longer says what the page shows. */
	take() {
		for (const { editing } of this.cells.values()) editing.take();
		this.#notice.remove();
		history.replaceState(history.state, "", Object.assign(new URL(location.href), { hash: "" }));
	}
}

/**
 * Makes the cells of a page work, and shows kept edits.
 * @param {string} base the address of the folder with go.json @param {string} folder of the notebook @param {Cell[]} cells @param {Given[]} [given] files for them, with whole addresses
 * @returns {Promise<Record<string, (id: string) => unknown>>} what the buttons do, by their names, and open, which shows what a link brought
 */
export async function enliven(base, folder, cells, given = []) {
	const page = new Page(base, folder, cells, given);
	await Promise.all([...page.cells.values()].map(({ editing }) => editing.restore()));
	return {
		Run: (id) => page.cells.get(id)?.run(),
		Edit: (id) => {
			page.kernel.begin(); // a cell that is edited is soon run
			return page.cells.get(id)?.editing.open();
		},
		"Run all": (id) => page.runAll(/** @type {HTMLElement} */ (page.cells.get(id)?.editing.offer.querySelector("[data-does='Run all']"))),
		open: () => page.open(),
	};
}

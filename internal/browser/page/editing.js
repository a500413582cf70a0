// The code of one cell: as the page has it, or in an editor with its buttons. What an edit stands in the place of is
// kept and offered: only the reader throws code away.

import { keep, kept } from "./kept.js";
import { element } from "./element.js";

/** @typedef {import("./client.js").Mark} Mark */
/** @typedef {{focus: () => void, set: (text: string) => void, mark: (marks: Mark[]) => void, end: () => void}} Editor */
/** @typedef {{label: string, help: string, changed: (text: string) => void, run: () => void}} Told */
/** @typedef {{run: () => void, link: () => Promise<string>, reset: () => void, taken: () => void}} Around taken makes what a link brought the reader's own */

/** @returns {Promise<{edit: (host: HTMLElement, text: string, told: Told) => Editor}>} */
const load = () => import(new URL("editor.js", import.meta.url).href);

/** @param {string} name @param {() => unknown} does */
function button(name, does) {
	const e = element("button", { type: "button" }, name);
	e.onclick = does;
	return e;
}

export class Editing {
	/** @type {Editor | undefined} */
	#editor;
	#earlier = /** @type {string[]} */ ([]);
	#changed = false;
	#linked = false;
	#host = element("div", { class: "go-editor" });
	#bar = element("div", { class: "go-bar" });
	#note = element("p", { class: "go-note" });
	#said = element("span", { class: "go-said", role: "status" });
	#reset = button("Close", () => this.reset());

	/** @param {string} id of the cell @param {string} own the page's source @param {HTMLElement} code @param {HTMLElement} offer the cell's buttons @param {Around} around */
	constructor(id, own, code, offer, around) {
		this.id = id;
		this.own = this.source = own;
		this.code = code;
		this.offer = offer;
		this.around = around;
		this.help = element("span", { class: "go-help", id: `go-keys-${id}` }, "Shift-Enter runs. Tab indents; Escape, then Tab leaves.");
		this.#bar.append(this.#reset, button("Copy", () => this.#copy()), button("Share", () => this.#share()), this.help, this.#said);
		code.after(this.#bar, this.#note);
		this.#refresh();
	}

	/** What stands last of all that belongs to the code. */
	get last() {
		return this.#note;
	}

	get edited() {
		return this.source !== this.own;
	}

	/** Shows the edit that the browser has kept. */
	async restore() {
		const { code = this.own, earlier, changed } = kept(this.id, this.own);
		[this.#earlier, this.#changed] = [earlier, changed];
		await this.#put(code);
	}

	/** Opens the editor, and puts the cursor into it. */
	async open() {
		await this.#edit();
		this.#editor?.focus();
	}

	/** Shows code that a link brought. @param {string} code */
	async show(code) {
		if (code === this.source) return;
		if (!this.#linked) this.#aside();
		this.#linked = true;
		await this.#put(code);
	}

	/** Makes code that a link brought the reader's own. */
	take() {
		if (!this.#linked) return;
		this.#linked = false;
		this.#save();
	}

	/** Shows what is wrong until the next edit, if the editor is open. @param {Mark[]} marks */
	mark(marks) {
		this.#editor?.mark(marks);
	}

	/** Goes back to the page's code. */
	reset() {
		if (this.edited) {
			this.#own();
			this.#aside();
			this.source = this.own;
			this.#save();
			this.around.reset();
		}
		this.#editor?.end();
		this.#editor = undefined;
		this.#host.remove();
		this.code.append(this.offer);
		this.#refresh();
		/** @type {HTMLElement | null} */ (this.offer.querySelector("[data-does=Edit]"))?.focus();
	}

	async #edit() {
		const { edit } = await load();
		if (this.#editor) return;
		(this.code.querySelector(".highlight") ?? this.code).append(this.#host);
		this.#editor = edit(this.#host, this.source, { label: `code of the cell ${this.id}`, help: this.help.id, changed: (text) => this.#edited(text), run: this.around.run });
		this.#bar.prepend(this.offer);
		this.#refresh();
	}

	/** @param {string} code */
	async #put(code) {
		this.source = code;
		if (this.edited) await this.#edit();
		this.#editor?.set(code);
		this.#refresh();
	}

	/** @param {string} text */
	#edited(text) {
		if (text === this.source) return;
		this.source = text;
		this.#said.textContent = "";
		this.#own();
		this.#save();
	}

	#own() {
		if (this.#linked) this.around.taken();
	}

	/** Keeps the edit for later: something else comes in its place. */
	#aside() {
		if (this.edited) this.#earlier = [...this.#earlier.filter((code) => code !== this.source), this.source];
	}

	#save() {
		const why = keep(this.id, this.own, { code: this.edited ? this.source : undefined, earlier: this.#earlier, changed: this.#changed });
		if (why) this.#said.textContent = why;
		this.#refresh();
	}

	async #swap() {
		this.#own();
		const [next, ...rest] = this.#earlier;
		this.#earlier = rest;
		this.#aside();
		await this.#put(next);
		this.#save();
		await this.open();
	}

	#forget() {
		this.#own();
		[this.#earlier, this.#changed] = [[], false];
		this.#save();
		if (this.#editor) this.#editor.focus();
		else /** @type {HTMLElement | null} */ (this.offer.querySelector("[data-does=Edit]"))?.focus();
	}

	#refresh() {
		const many = this.#earlier.length, open = this.#editor !== undefined;
		this.code.classList.toggle("go-open", open);
		this.#bar.hidden = !open;
		this.#reset.textContent = this.edited ? "Reset" : "Close";
		const words = [this.#linked ? "This code came with the link." : "", many && this.#changed ? "The page’s code has changed since you edited it." : "",
			many > 1 ? `${many} earlier edits are kept.` : many ? "An earlier edit is kept." : ""].filter(Boolean);
		this.#note.replaceChildren(words.join(" "));
		if (many) this.#note.append(" ", button("Show it", () => this.#swap()), " ", button(many > 1 ? "Forget them" : "Forget it", () => this.#forget()));
		this.#note.hidden = words.length === 0;
	}

	/** @param {string} [text] @returns {Promise<boolean>} whether the browser lets the page copy */
	async #copy(text = this.source) {
		try {
			await navigator.clipboard.writeText(text);
			this.#said.textContent = "Copied.";
			return true;
		} catch {
			this.#said.textContent = "The browser does not let this page copy. Select the code, and press Ctrl-C.";
			return false;
		}
	}

	async #share() {
		try {
			const link = await this.around.link();
			const copied = await this.#copy(link);
			this.#said.replaceChildren(copied ? "Copied: " : "Copy this address: ", element("a", { href: link }, "the link to this page with what you edited"), ".");
		} catch (why) {
			this.#said.textContent = why instanceof Error ? why.message : String(why);
		}
	}
}

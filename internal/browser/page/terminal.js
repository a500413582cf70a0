// Text as terminals show it: with colours, and with the steps of a progress bar one over the other.

import { element } from "./element.js";

const names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/**
 * How text looks, by the codes of ECMA-48, section 8.3.117. The colours are classes as in Jupyter's pages, or "r g b".
 * @typedef {{bold: boolean, italic: boolean, underline: boolean, inverse: boolean, fg: string, bg: string}} Look
 */
const plain = /** @type {Look} */ ({ bold: false, italic: false, underline: false, inverse: false, fg: "", bg: "" });

/** @param {number} n of the 256 colours of xterm @returns {string} */
function indexed(n) {
	if (n < 16) return names[n % 8] + (n < 8 ? "" : "-intense");
	if (n >= 232) return Array(3).fill(8 + 10 * (n - 232)).join(" ");
	return [36, 6, 1].map((unit) => Math.floor((n - 16) / unit) % 6).map((level) => level ? 55 + 40 * level : 0).join(" ");
}

const flags = new Map(/** @type {[number, Partial<Look>][]} */ ([[0, plain], [1, { bold: true }], [3, { italic: true }], [4, { underline: true }], [7, { inverse: true }], [22, { bold: false }],
	[23, { italic: false }], [24, { underline: false }], [27, { inverse: false }], [39, { fg: "" }], [49, { bg: "" }]]));

/** @param {Look} look @param {string} codes as in 1;31 @returns {Look} the look behind an escape sequence */
function changed(look, codes) {
	const list = codes.split(/[;:]/).map(Number);
	let now = look;
	for (let i = 0; i < list.length; i++) {
		const code = list[i], side = code % 20 < 10 ? "bg" : "fg", base = code - code % 10;
		if (flags.has(code)) now = { ...now, ...flags.get(code) };
		else if (code === 38 || code === 48) {
			const rgb = list[i + 1] === 2;
			now = { ...now, [code === 38 ? "fg" : "bg"]: rgb ? list.slice(i + 2, i + 5).map((v) => Math.min(v || 0, 255)).join(" ") : indexed(Math.min(list[i + 2] || 0, 255)) };
			i += rgb ? 4 : 2;
		} else if ([30, 40, 90, 100].includes(base) && code % 10 < 8) now = { ...now, [side]: names[code % 10] + (base < 90 ? "" : "-intense") };
	}
	return Object.values(now).some(Boolean) ? now : plain;
}

/** @param {string} text @param {Look} look @returns {Node} */
function styled(text, look) {
	if (look === plain) return document.createTextNode(text);
	const e = element("span", {}, text), [fg, bg] = look.inverse ? [look.bg || "inverse", look.fg || "inverse"] : [look.fg, look.bg];
	for (const name of /** @type {const} */ (["bold", "italic", "underline"])) if (look[name]) e.classList.add(`ansi-${name}`);
	for (const [side, colour] of [["fg", fg], ["bg", bg]]) {
		if (!colour.includes(" ")) {
			if (colour) e.classList.add(`ansi-${colour}-${side}`);
		} else if (side === "fg") e.style.color = `rgb(${colour})`;
		else e.style.backgroundColor = `rgb(${colour})`;
	}
	return e;
}

// A page lays a block out when it comes near the window: see outputs.css.
const blockLines = 200;

/** Writes text into an element. */
export class Terminal {
	#rest = "";
	#look = plain;
	/** The last line, by UTF-16 units as in JavaScript's strings, the look of each, and where the next goes. */
	#line = /** @type {string[]} */ ([]);
	#looks = /** @type {Look[]} */ ([]);
	#at = 0;
	#last = element("span", {}); // shows the last line
	#block = element("span", { class: "go-lines" });
	#lines = 0;

	/** @param {HTMLElement} place */
	constructor(place) {
		this.place = place;
		this.#block.append(this.#last);
		place.append(this.#block);
	}

	/** @param {string} text */
	write(text) {
		const all = this.#rest + text, torn = /\x1b(?:\[[\d;:?]*)?$/.exec(all); // eslint-disable-line no-control-regex
		this.#rest = torn?.[0] ?? "";
		const done = document.createDocumentFragment();
		for (const [piece, codes] of (torn ? all.slice(0, torn.index) : all).matchAll(/\x1b\[([\d;:?]*)[@-~]|[\n\r\b]|[^\x1b\n\r\b]+|\x1b/g)) { // eslint-disable-line no-control-regex
			if (piece === "\n") this.#end(done);
			else if (piece === "\r") this.#at = 0;
			else if (piece === "\b") this.#back();
			else if (!piece.startsWith("\x1b")) this.#put(piece);
			else if (piece.endsWith("m")) this.#look = changed(this.#look, codes || "0");
		}
		this.#last.before(done);
		this.#last.replaceChildren(...this.#shown());
	}

	/** @param {string} text without an end of a line */
	#put(text) {
		for (let i = 0; i < text.length; i++) {
			this.#line[this.#at] = text[i];
			this.#looks[this.#at++] = this.#look;
		}
	}

	// In the middle of a line JupyterLab takes the character behind as well: see Shown of package nbformat.
	#back() {
		if (this.#at === 0) return;
		this.#at--;
		this.#line.splice(this.#at, 2);
		this.#looks.splice(this.#at, 2);
	}

	/** @returns {Node[]} */
	#shown() {
		const nodes = [];
		for (let from = 0, to = 0; from < this.#line.length; from = to) {
			while (to < this.#line.length && this.#looks[to] === this.#looks[from]) to++;
			nodes.push(styled(this.#line.slice(from, to).join(""), this.#looks[from]));
		}
		return nodes;
	}

	/** Ends the last line. @param {DocumentFragment} done */
	#end(done) {
		done.append(...this.#shown(), "\n");
		[this.#line, this.#looks, this.#at] = [[], [], 0];
		if (++this.#lines < blockLines) return;
		this.#last.replaceWith(done);
		this.#block.normalize();
		this.#block.style.setProperty("--lines", String(this.#lines));
		this.#lines = 0;
		this.#last = element("span", {});
		this.#block = element("span", { class: "go-lines" });
		this.#block.append(this.#last);
		this.place.append(this.#block);
		this.place.classList.add("go-long");
		this.place.tabIndex = 0; // it scrolls, also by keys
	}
}

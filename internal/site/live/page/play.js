// The playgrounds of a page. The program in the worker has the model, the figure and the state;
// this passes on what the reader does, and shows what the program answers.

import { figure, holder, player, tools } from "./figure.js";
import { near, Program, tell } from "./program.js";

/**
 * The program's answer, as internal/site/play/answer.go has it.
 * @typedef {{name: string, label: string, min: number, max: number, step: number, value: number, text: string, choices: string[] | null}} Knob
 * @typedef {{title: string, svg: string, numbers: [string, string][] | null, note: string, said: string, link: string, undo: boolean,
 *   redo: boolean, coarse: boolean, class: string, preset: string, presets: [string, string][], knobs: Knob[] | null}} Answer
 */

/**
 * What the reader did, as internal/site/play/session.go has it.
 * @typedef {{do: string, x?: number, y?: number, name?: string, value?: number, shift?: boolean, text?: string, narrow?: boolean}} Did
 */

const rest = 120; // milliseconds without an event after which a coarse figure is refined

/** @type {Program | undefined} */
let program;

class Playground {
	#queue = /** @type {Did[]} */ ([]);
	#running = false;
	#timer = 0;
	#picture = holder();

	/** @param {HTMLElement} host */
	constructor(host) {
		this.host = host;
		this.id = host.dataset.playground ?? "";
		this.numbers = this.#part("dl");
		this.note = this.#part(".playground-note");
		this.said = this.#part("[role=status]");
		this.link = /** @type {HTMLAnchorElement} */ (this.#part(".playground-buttons a"));
		this.presets = /** @type {HTMLSelectElement} */ (this.#part(".playground-preset select"));
		this.presets.addEventListener("change", () => this.send({ do: "preset", name: this.presets.value }));
		this.knobs = /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */ (host.querySelectorAll(".playground-knob > [name]"));
		for (const knob of this.knobs) knob.addEventListener("input", () => this.send({ do: "knob", name: knob.name, value: Number(knob.value) }));
		for (const b of /** @type {NodeListOf<HTMLButtonElement>} */ (host.querySelectorAll("button[name]"))) b.addEventListener("click", () => this.send({ do: b.name }));
		for (const place of /** @type {NodeListOf<HTMLElement>} */ (host.querySelectorAll(".marginalia-player"))) player(place, /** @type {HTMLInputElement} */ (place.previousElementSibling?.querySelector("input")), this.#picture);
		this.#point();
		this.#keys();
	}

	/** @param {string} selector @returns {HTMLElement} */
	#part(selector) {
		return /** @type {HTMLElement} */ (this.host.querySelector(selector));
	}

	/** @param {string} name @returns {HTMLButtonElement | null} */
	#button(name) {
		return this.host.querySelector(`button[name=${name}]`);
	}

	/** Replaces the still by the figure, and shows what changes it. @param {Answer} first */
	#begin(first) {
		this.#picture.tabIndex = 0;
		this.#picture.role = "application";
		this.#picture.ariaLabel = first.title;
		this.#part(".marginalia-figure").replaceWith(tools(this.id, "40em"), this.#picture);
		this.host.classList.add("live");
	}

	// A pointer presses, drags and releases, in fractions of the drawing.
	#point() {
		const picture = this.#picture;
		/** @param {string} what @param {PointerEvent} event */
		const tell = (what, event) => {
			const r = picture.firstElementChild?.getBoundingClientRect();
			if (r) this.send({ do: what, x: (event.clientX - r.left) / r.width, y: (event.clientY - r.top) / r.height, shift: event.shiftKey });
		};
		picture.addEventListener("pointerdown", (event) => {
			if (event.button !== 0) return;
			picture.setPointerCapture(event.pointerId);
			tell("press", event);
		});
		picture.addEventListener("pointermove", (event) => picture.hasPointerCapture(event.pointerId) && tell("drag", event));
		for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) picture.addEventListener(end, () => this.send({ do: "release" }));
	}

	#keys() {
		const names = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Enter", " ", "Delete", "Backspace", "Escape"]);
		this.#picture.addEventListener("keydown", (event) => {
			const command = event.ctrlKey || event.metaKey;
			if (command && event.key.toLowerCase() === "z") this.send({ do: event.shiftKey ? "redo" : "undo" });
			else if (!command && names.has(event.key)) this.send({ do: "key", name: event.key, shift: event.shiftKey });
			else return;
			event.preventDefault();
		});
	}

	/** Tells the program what the reader did. What waits is replaced by a later move of the same thing. @param {Did} did */
	send(did) {
		const waits = this.#queue.at(-1);
		if (waits && ["drag", "knob", "rest"].includes(did.do) && waits.do === did.do && waits.name === did.name) this.#queue.pop();
		this.#queue.push(did);
		clearTimeout(this.#timer);
		if (!this.#running) this.#run().catch((why) => {
			this.host.classList.add("still");
			tell(why);
		});
	}

	async #run() {
		this.#running = true;
		try {
			for (let did = this.#queue.shift(); did; did = this.#queue.shift()) {
				program ??= new Program(new URL("play.wasmz", import.meta.url));
				const answer = /** @type {Answer} */ (JSON.parse(await program.ask("", this.id, JSON.stringify(did))));
				this.#show(answer);
				if (!this.#picture.isConnected) this.#begin(answer);
				if (answer.coarse) this.#timer = setTimeout(() => this.send({ do: "rest" }), rest);
			}
		} finally {
			this.#running = false;
		}
	}

	/** @param {Answer} a */
	#show(a) {
		clearTimeout(this.#timer);
		this.#picture.replaceChildren(figure(a.svg));
		this.numbers.replaceChildren(...(a.numbers ?? []).map((number) => {
			const row = document.createElement("div");
			row.append(...["dt", "dd"].map((tag, k) => Object.assign(document.createElement(tag), { textContent: number[k] })));
			return row;
		}));
		this.note.textContent = a.note;
		if (a.said) this.said.textContent = a.said;
		this.presets.value = a.preset;
		for (const [name, change] of Object.entries({ undo: { disabled: !a.undo }, redo: { disabled: !a.redo }, class: { textContent: `Class: ${a.class}` } })) {
			Object.assign(this.#button(name) ?? {}, change);
		}
		this.link.href = `#${a.link}`;
		(a.knobs ?? []).forEach(({ min, max, step, value, text, choices }, k) => {
			const knob = this.knobs[k];
			if (!choices) {
				Object.assign(knob, { min, max, step });
				/** @type {HTMLElement} */ (knob.nextElementSibling).textContent = text;
				knob.setAttribute("aria-valuetext", text);
			}
			if (!this.#queue.length) knob.value = String(value); // otherwise the reader has moved on
		});
	}
}

const begun = /** @type {Map<HTMLElement, Playground>} */ (new Map());
const phone = matchMedia("(max-width: 46em)");
const hosts = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-playground]"));

/** Starts a playground unless it has begun, and tells it the address. @param {HTMLElement} host */
function open(host) {
	const p = begun.get(host) ?? new Playground(host);
	begun.set(host, p);
	p.send({ do: "open", text: location.hash, narrow: phone.matches });
}

/** The playground that the address names, by its heading or by a state. */
function linked() {
	const [name] = location.hash.slice(1).split("&");
	return [...hosts].find((host) => [`play-${host.dataset.playground}`, host.dataset.playground].includes(name));
}

/** Has the playground that the address names read it. It begins at once, wherever it stands. */
function follow() {
	const host = linked();
	if (host) open(host);
}

/** Scrolls to the playground of a state, which is no anchor of the page. */
function reach() {
	const host = linked();
	if (host && location.hash !== `#play-${host.dataset.playground}`) (document.getElementById(`play-${host.dataset.playground}`) ?? host).scrollIntoView({ behavior: "instant" });
}

follow();
if (scrollY === 0) reach(); // neither the reader nor the browser, which goes back, has chosen another place
addEventListener("hashchange", () => {
	follow();
	reach();
});
phone.addEventListener("change", () => begun.forEach((_, host) => open(host)));
for (const host of hosts) near(host, () => begun.has(host) || open(host));

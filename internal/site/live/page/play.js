// The playgrounds of a page. The program in the worker has the model, the figure and the state;
// this passes on what the reader does, and shows what the program answers.

import { figure, holder } from "./figure.js";
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

/**
 * Makes an element with properties and children.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [properties]
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
function make(tag, properties, ...children) {
	const e = document.createElement(tag);
	Object.assign(e, properties);
	e.append(...children);
	return e;
}

class Playground {
	#queue = /** @type {Did[]} */ ([]);
	#running = false;
	#timer = 0;
	#knobs = /** @type {Map<string, {input: HTMLInputElement | HTMLSelectElement, output: HTMLOutputElement}>} */ (new Map());
	#picture = holder();
	#numbers = make("dl", { className: "playground-numbers" });
	#note = make("p", { className: "playground-note" });
	#said = make("p", { className: "playground-said", role: "status" });
	#presets = make("select");
	#undo = this.#button("Undo", "undo");
	#redo = this.#button("Redo", "redo");
	#class = this.#button("Class", "class");
	#link = make("a", { textContent: "Link to this state" });
	#settings = make("div", { className: "playground-settings" });

	/** @param {HTMLElement} host */
	constructor(host) {
		this.host = host;
		this.id = host.dataset.playground ?? "";
		this.#presets.addEventListener("change", () => this.send({ do: "preset", name: this.#presets.value }));
		this.#point();
		this.#keys();
	}

	/** Replaces the still by the figure and what changes it. @param {Answer} first */
	#build(first) {
		this.#picture.tabIndex = 0;
		this.#picture.role = "application";
		this.#picture.ariaLabel = first.title;
		this.#presets.replaceChildren(...first.presets.map(([value, label]) => make("option", { value, textContent: label })));
		for (const knob of first.knobs ?? []) this.#settings.append(this.#knob(knob));
		const buttons = make("div", { className: "playground-buttons" }, this.#undo, this.#redo,
			this.#button("Add a point", "add"), this.#button("Remove", "remove"), ...(first.class ? [this.#class] : []), this.#link);
		this.host.querySelector("img")?.replaceWith(
			make("label", { className: "playground-preset" }, "Data ", this.#presets),
			this.#settings, this.#picture, buttons, this.#note, this.#numbers, this.#said);
	}

	/** @param {Knob} knob */
	#knob({ name, label, choices }) {
		const output = make("output");
		const input = choices
			? make("select", {}, ...choices.map((text, k) => make("option", { value: String(k), textContent: text })))
			: make("input", { type: "range", name });
		input.addEventListener("input", () => this.send({ do: "knob", name, value: Number(input.value) }));
		this.#knobs.set(name, { input, output });
		return make("label", { className: "playground-knob" }, make("span", { textContent: label }), input, output);
	}

	/** @param {string} text @param {string} what */
	#button(text, what) {
		const b = make("button", { type: "button", textContent: text });
		b.addEventListener("click", () => this.send({ do: what }));
		return b;
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
		if (!this.#running) this.#run().catch(tell);
	}

	async #run() {
		this.#running = true;
		try {
			for (let did = this.#queue.shift(); did; did = this.#queue.shift()) {
				program ??= new Program(new URL("play.wasmz", import.meta.url));
				const answer = /** @type {Answer} */ (JSON.parse(await program.ask("", this.id, JSON.stringify(did))));
				if (!this.#picture.isConnected) this.#build(answer);
				this.#show(answer);
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
		this.#numbers.replaceChildren(...(a.numbers ?? []).map(([label, value]) =>
			make("div", {}, make("dt", { textContent: label }), make("dd", { textContent: value }))));
		this.#note.textContent = a.note;
		if (a.said) this.#said.textContent = a.said;
		this.#presets.value = a.preset;
		this.#undo.disabled = !a.undo;
		this.#redo.disabled = !a.redo;
		this.#class.textContent = `Class: ${a.class}`;
		this.#link.href = `#${a.link}`;
		for (const { name, min, max, step, value, text, choices } of a.knobs ?? []) {
			const knob = this.#knobs.get(name);
			if (!knob) continue;
			if (!choices) {
				Object.assign(knob.input, { min, max, step });
				knob.output.textContent = text;
				knob.input.setAttribute("aria-valuetext", text);
			}
			knob.input.value = String(value);
		}
	}
}

const begun = /** @type {Playground[]} */ ([]);
const phone = matchMedia("(max-width: 46em)");
const address = () => ({ do: "open", text: location.hash, narrow: phone.matches });
const hosts = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-playground]"));

/** Shows the playground that the address names. */
function follow() {
	for (const p of begun) p.send(address());
	for (const host of hosts) {
		if (location.hash.slice(1).split("&")[0] === host.dataset.playground) host.scrollIntoView();
	}
}

for (const host of hosts) {
	near(host, () => {
		const p = new Playground(host);
		begun.push(p);
		p.send(address());
	});
}
addEventListener("hashchange", follow);
phone.addEventListener("change", follow);
follow();

// Runs the program of one cell.

import { devices, enter, files, folders, get, hooks, makeFolder, pending, put } from "./files.js";
import { forget, know, list } from "./given.js";
import "./wasm_exec.js";
import { limited, roomy } from "./memory.js";
import { stopTimers } from "./timers.js";
import { confine } from "./world.js";

/** @typedef {{program: Uint8Array<ArrayBuffer>, args: string[], env: string[], folder: string, folders: string[], files: [string, Uint8Array<ArrayBuffer>][]}} Start */
/** @typedef {Start | {answer: Uint8Array} | {typed: Uint8Array} | {taken: number}} Ask */

// The streams of internal/browser/kernel.
const [stdin, stdout, stderr, display] = [0, 1, 2, 3];

// Each write becomes a message, until there are many: then what comes within mergeTime does. After as many
// turns from one stream to the other, each of which is an element of the page, what comes together is sorted
// by its stream, as internal/kernel/front does.
const mergeTime = 50, many = 1000;
let pieces = /** @type {{to: number, data: Uint8Array}[]} */ ([]), sent = 0, lastSent = 0, lastTo = 0, turns = 0;

function flush() {
	if (turns > many) pieces.sort((a, b) => a.to - b.to);
	for (let i = 0; i < pieces.length;) {
		const { to } = pieces[i], run = [];
		for (; i < pieces.length && pieces[i].to === to; i++) run.push(pieces[i].data);
		const wrote = new Uint8Array(run.reduce((n, d) => n + d.length, 0));
		let at = 0;
		for (const d of run) {
			wrote.set(d, at);
			at += d.length;
		}
		postMessage({ to, wrote });
	}
	pieces = [];
	lastSent = performance.now();
}

/** @param {number} to @param {Uint8Array} data */
function write(to, data) {
	if (to !== lastTo) turns++;
	lastTo = to;
	pieces.push({ to, data });
	if (to === display || to === stdin || ++sent < many || performance.now() - lastSent > mergeTime) flush();
	else if (pieces.length === 1) setTimeout(flush, mergeTime);
}

/** What a program has at first, in MiB. */
const heap = 64;

// A program that prints faster than the kernel reads waits in its call: otherwise messages would pile up.
const mostWaiting = 4 << 20;
let waiting = 0, goOn = /** @type {(() => void)[]} */ ([]);

/** @param {number} to @param {Uint8Array} data @returns {Promise<void> | void} */
function print(to, data) {
	waiting += data.length;
	write(to, data);
	if (waiting <= mostWaiting) return;
	flush();
	return new Promise((resolve) => { goOn.push(resolve); });
}

/** @param {number} bytes that the kernel has read */
function taken(bytes) {
	waiting -= bytes;
	if (waiting > mostWaiting) return;
	const calls = goOn;
	goOn = [];
	for (const call of calls) call();
}

/** Bytes for the program, and the calls that wait for some. */
class Inbox {
	#parts = /** @type {Uint8Array[]} */ ([]);
	#calls = /** @type {(() => void)[]} */ ([]);
	#ended = false;

	/** @param {Uint8Array} data no bytes are the end */
	put(data) {
		if (data.length > 0) this.#parts.push(data);
		else this.#ended = true;
		const calls = this.#calls;
		this.#calls = [];
		for (const call of calls) call();
	}

	/** @param {number} most @param {() => void} [ask] is called if there is nothing to read @returns {Promise<Uint8Array>} */
	async read(most, ask) {
		while (this.#parts.length === 0) {
			if (this.#ended) return new Uint8Array(0);
			const come = new Promise((resolve) => { this.#calls.push(() => resolve(undefined)); });
			ask?.();
			await come;
		}
		const [first, ...rest] = this.#parts;
		this.#parts = first.length > most ? [first.subarray(most), ...rest] : rest;
		return first.subarray(0, most);
	}
}

const answers = new Inbox(), typed = new Inbox();
devices.set(0, { read: (most) => typed.read(most, () => write(stdin, new Uint8Array(0))) });
devices.set(1, { write: (data) => print(stdout, data) }).set(2, { write: (data) => print(stderr, data) });
devices.set("/dev/gonb_pipe", { write: (data) => write(display, data) }).set("/dev/gonb_pipe_back", { read: (most) => answers.read(most) });

// What Go's wasm_exec.js keeps of a program, and how it says in Node.js that nothing can wake it.
/** @typedef {{exited: boolean, _pendingEvent: unknown, _scheduledTimeouts: Map<number, unknown>, _resume: () => void}} Inner */

/**
 * Runs a program, and tells it that all of its goroutines are asleep when they are: it has returned
 * to the worker, waits for no timer and reads nothing. It is told so, too, if it waits for what it
 * has begun in JavaScript by itself.
 * @param {Inner & {run: (instance: WebAssembly.Instance) => Promise<void>}} go
 * @param {WebAssembly.Instance} instance
 */
async function untilEnd(go, instance) {
	const resume = go._resume.bind(go);
	let depth = 1; // a call of the file system resumes the program within it
	const look = () => {
		if (--depth > 0 || go.exited || go._scheduledTimeouts.size > 0 || pending.calls > 0) return;
		go._pendingEvent = { id: 0 };
		go._resume();
	};
	go._resume = () => {
		depth++;
		resume();
		look();
	};
	const ended = go.run(instance);
	look();
	await ended;
}

/** @param {Start} ask */
async function run(ask) {
	for (const path of [...ask.folders, ask.folder]) makeFolder(path);
	for (const [path, content] of ask.files) put(path, content);
	const say = new TextEncoder();
	know((text) => write(stderr, say.encode(text)));
	enter(ask.folder);
	hooks.changed = (path) => {
		postMessage({ path, bytes: files.has(path) ? get(path) : undefined, folder: folders.has(path) });
		if (forget(path)) postMessage({ path: list, bytes: get(list) });
	};
	const go = new Go();
	let status = 0;
	Object.assign(go, { argv: ask.args, env: Object.fromEntries(ask.env.map((line) => line.split(/=(.*)/s).slice(0, 2))), exit: (/** @type {number} */ code) => { status = code; } });
	confine(go);
	const { instance } = await WebAssembly.instantiate(limited(ask.program), go.importObject);
	await untilEnd(/** @type {any} */ (go), roomy(instance, heap));
	stopTimers(go);
	flush();
	postMessage({ ended: status === 0 ? "" : `exit status ${status}` });
}

globalThis.addEventListener("message", (/** @type {MessageEvent<Ask>} */ { data }) => {
	if ("answer" in data) answers.put(data.answer);
	else if ("typed" in data) typed.put(data.typed);
	else if ("taken" in data) taken(data.taken);
	else run(data).catch((why) => {
		flush();
		postMessage({ ended: String(why) });
	});
});

// Runs the program of one cell.

import { devices, enter, files, folders, get, hooks, makeFolder, put } from "./files.js";
import "./wasm_exec.js";
import { roomy } from "./memory.js";
import { stopTimers } from "./timers.js";

/** @typedef {{program: Uint8Array<ArrayBuffer>, args: string[], env: string[], folder: string, folders: string[], files: [string, Uint8Array<ArrayBuffer>][]} | {answer: Uint8Array}} Ask */

// The streams of internal/browser/kernel.
const [stdin, stdout, stderr, display] = [0, 1, 2, 3];

// Each write becomes a message, until there are many: then what comes within mergeTime does.
const mergeTime = 50, many = 1000;
let pieces = /** @type {{to: number, data: Uint8Array}[]} */ ([]), sent = 0, lastSent = 0;

function flush() {
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
	pieces.push({ to, data });
	if (to === display || ++sent < many || performance.now() - lastSent > mergeTime) flush();
	else if (pieces.length === 1) setTimeout(flush, mergeTime);
}

/** What a cell with a figure takes, in MiB. */
const heap = 64;

/** Bytes for the program, and the call that waits for some. */
let answers = /** @type {Uint8Array[]} */ ([]);
let wanted = /** @type {(() => void) | undefined} */ (undefined);

/** @param {number} most @returns {Promise<Uint8Array>} */
async function read(most) {
	if (answers.length === 0) await new Promise((resolve) => { wanted = () => resolve(undefined); });
	wanted = undefined;
	const [first, ...rest] = answers;
	answers = first.length > most ? [first.subarray(most), ...rest] : rest;
	return first.subarray(0, most);
}

let asked = false;
devices.set(0, { read: () => {
	if (!asked) write(stdin, new Uint8Array(0));
	asked = true;
	return new Uint8Array(0);
} });
devices.set(1, { write: (data) => write(stdout, data) }).set(2, { write: (data) => write(stderr, data) });
devices.set("/dev/gonb_pipe", { write: (data) => write(display, data) }).set("/dev/gonb_pipe_back", { read });

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
		if (--depth > 0 || go.exited || go._scheduledTimeouts.size > 0 || wanted) return;
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

/** @param {Exclude<Ask, {answer: Uint8Array}>} ask */
async function run(ask) {
	for (const path of [...ask.folders, ask.folder]) makeFolder(path);
	for (const [path, content] of ask.files) put(path, content);
	enter(ask.folder);
	hooks.changed = (path) => postMessage({ path, bytes: files.has(path) ? get(path) : undefined, folder: folders.has(path) });
	const go = new Go();
	let status = 0;
	Object.assign(go, { argv: ask.args, env: Object.fromEntries(ask.env.map((line) => line.split(/=(.*)/s).slice(0, 2))), exit: (/** @type {number} */ code) => { status = code; } });
	const { instance } = await WebAssembly.instantiate(ask.program, go.importObject);
	await untilEnd(/** @type {any} */ (go), roomy(instance, heap));
	stopTimers(go);
	flush();
	postMessage({ ended: status === 0 ? "" : `exit status ${status}` });
}

globalThis.addEventListener("message", (/** @type {MessageEvent<Ask>} */ { data }) => {
	if ("answer" in data) {
		answers.push(data.answer);
		wanted?.();
		return;
	}
	run(data).catch((why) => {
		flush();
		postMessage({ ended: String(why) });
	});
});

// Runs Go programs for a page: the playgrounds, or the cells of one lecture, each in a memory of
// its own.

import "./wasm_exec.js";

/** @typedef {{id: number, wasm: string, files: Record<string, string>, cell: string, name: string, text?: string}} Ask */
/** @typedef {(text: string, reply: (text: string) => void) => void} Answer */
/** @typedef {(error: {code: string} | null, result?: number) => void} Called */

const served = /** @type {Map<string, {cell: string, answer: Answer}>} */ (new Map());
/** @type {Promise<WebAssembly.Module> | undefined} */
let compiled;
let starting = { cell: "", name: "", ready: () => {} };
/** Ends what waits for a program that has ended. */
let fail = () => {};

// The programs call it for each name that they serve.
globalThis.marginaliaServe = (/** @type {string} */ name, /** @type {Answer} */ answer) => {
	served.set(name, { cell: starting.cell, answer });
	if (name === starting.name) starting.ready();
};

/** The addresses of files that programs may read, by their paths, as the program's own address sees them. @type {Record<string, string>} */
let addresses = {};
let base = "";
/** Files that programs have opened. @type {{bytes: Uint8Array, at: number}[]} */
const opened = [];

// Go's package syscall opens and reads files by these calls, which are those of Node.js.
Object.assign(globalThis.process, { cwd: () => "" });
const { writeSync } = globalThis.fs;
Object.assign(globalThis.fs, {
	/** @type {(fd: number, text: Uint8Array) => number} */
	writeSync: (fd, text) => fd === 1 ? text.length : writeSync(fd, text), // what cells print stands in the page already
	/** @type {(path: string, flags: number, mode: number, called: Called) => void} */
	open: (path, _flags, _mode, called) => Object.hasOwn(addresses, path)
		? get(new URL(addresses[path], base).href).then((r) => r.arrayBuffer()).then((b) => called(null, 2 + opened.push({ bytes: new Uint8Array(b), at: 0 })), () => called({ code: "EIO" }))
		: called({ code: "ENOENT" }),
	/** @type {(fd: number, buffer: Uint8Array, offset: number, length: number, position: number | null, called: Called) => void} */
	read: (fd, buffer, offset, length, position, called) => {
		const file = opened[fd - 3];
		if (!file) return called({ code: "EBADF" });
		const part = file.bytes.subarray(position ?? file.at, (position ?? file.at) + length);
		buffer.set(part, offset);
		file.at += position === null ? part.length : 0;
		called(null, part.length);
	},
	/** @type {(fd: number, called: Called) => void} */
	close: (_fd, called) => called(null),
});

/** @param {string} url */
async function get(url) {
	const response = await fetch(url);
	if (!response.ok || !response.body) throw new Error(`${url}: ${response.status}`);
	return response;
}

/**
 * Resolves when a program has done what begin asks of it. A program may let other events in
 * meanwhile.
 * @template T
 * @param {(done: (value: T) => void) => void} begin
 * @returns {Promise<T>}
 */
function done(begin) {
	return new Promise((resolve, reject) => {
		fail = () => reject(new Error("the program has ended"));
		begin(resolve);
	});
}

/** @param {string} url of a program that is deflated (RFC 1951) */
async function load(url) {
	const { body } = await get(url);
	const bytes = /** @type {ReadableStream} */ (body).pipeThrough(new DecompressionStream("deflate-raw"));
	return WebAssembly.compileStreaming(new Response(bytes, { headers: { "Content-Type": "application/wasm" } }));
}

/** Starts the program of a cell, and resolves when it serves a name. @param {WebAssembly.Module} module @param {string} cell @param {string} name */
async function start(module, cell, name) {
	const go = new Go();
	go.env = { MARGINALIA_CELL: cell, MARGINALIA_SLIDERS: "1", GOGC: "400" }; // a frame leaves much garbage
	go.exit = () => {
		for (const [name, s] of served) if (s.cell === cell) served.delete(name);
		fail();
	};
	const instance = await WebAssembly.instantiate(module, go.importObject);
	await done((/** @type {(value: void) => void} */ resolve) => {
		starting = { cell, name, ready: resolve };
		go.run(instance).catch(() => go.exit(2));
	});
}

/** @param {Ask} ask @returns {Promise<string>} */
async function answer({ wasm, files, cell, name, text }) {
	[addresses, base] = [files, wasm];
	compiled ??= load(wasm).catch((why) => (compiled = undefined, Promise.reject(why))); // the next that asks may have more luck
	if (!served.has(name)) await start(await compiled, cell, name);
	const s = served.get(name);
	if (!s) throw new Error(`the program does not serve ${name}`);
	return text === undefined ? "" : done((reply) => s.answer(text, reply));
}

// A program that fails between two calls answers none of them.
globalThis.addEventListener("error", () => fail());

let last = Promise.resolve();
globalThis.addEventListener("message", (/** @type {MessageEvent<Ask>} */ { data }) => {
	last = last.then(() => answer(data)).then(
		(text) => postMessage({ id: data.id, text }),
		(why) => postMessage({ id: data.id, error: String(why) }),
	);
});

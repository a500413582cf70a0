// Runs Go programs for a page: the playgrounds, or the cells of one lecture, each in a memory of
// its own.

import "./wasm_exec.js";

/** @typedef {{id: number, wasm: string, cell: string, name: string, text?: string}} Ask */
/** @typedef {{cell: string, answer: (text: string) => string | undefined}} Served */

/** @type {Map<string, Served>} */
const served = new Map();
/** @type {Promise<WebAssembly.Module> | undefined} */
let compiled;
let starting = "";

// The programs call it for each name that they serve, before their main function waits.
globalThis.marginaliaServe = (/** @type {string} */ name, /** @type {Served["answer"]} */ answer) => {
	served.set(name, { cell: starting, answer });
};

/** @param {string} url of a program that is deflated (RFC 1951) */
async function load(url) {
	const response = await fetch(url);
	if (!response.ok || !response.body) throw new Error(`${url}: ${response.status}`);
	const bytes = response.body.pipeThrough(new DecompressionStream("deflate-raw"));
	return WebAssembly.compileStreaming(new Response(bytes, { headers: { "Content-Type": "application/wasm" } }));
}

/**
 * Starts the program of a cell, and returns when it waits.
 * @param {WebAssembly.Module} module
 * @param {string} cell
 */
async function start(module, cell) {
	const go = new Go();
	go.env = { MARGINALIA_CELL: cell, MARGINALIA_SLIDERS: "1" };
	go.exit = () => forget(cell);
	const instance = await WebAssembly.instantiate(module, go.importObject);
	starting = cell;
	go.run(instance).catch(() => forget(cell)); // it never returns while the program waits
}

/** @param {string} cell whose program has ended */
function forget(cell) {
	for (const [name, s] of served) if (s.cell === cell) served.delete(name);
}

/**
 * @param {Ask} ask
 * @returns {Promise<string>}
 */
async function answer({ wasm, cell, name, text }) {
	compiled ??= load(wasm);
	if (!served.has(name)) await start(await compiled, cell);
	const s = served.get(name);
	if (!s) throw new Error(`the program does not serve ${name}`);
	if (text === undefined) return "";
	const said = s.answer(text);
	if (said === undefined) throw new Error("the program has ended");
	return said;
}

let last = Promise.resolve();
globalThis.addEventListener("message", (/** @type {MessageEvent<Ask>} */ { data }) => {
	last = last.then(() => answer(data)).then(
		(text) => postMessage({ id: data.id, text }),
		(why) => postMessage({ id: data.id, error: String(why) }),
	);
});

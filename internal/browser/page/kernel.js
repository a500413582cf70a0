// The worker of a notebook's kernel: it runs the kernel's program, the compiler and the linker in one
// file system, and each cell in a worker of its own, which can be ended.

import { devices, files, get, makeFolder, put } from "./files.js";
import "./wasm_exec.js";
import { bytes, fetched, forgetOthers, program, progress, rest } from "./store.js";
import { stopTimers } from "./timers.js";

/** @typedef {{type: "start", base: string, folder: string} | {type: "execute", id: number, cell: string, source: string, above?: string[]} | {type: "interrupt"}} Ask */
/** @typedef {(id: string, source: string, above: string[] | undefined, show: (output: string) => void, done: (ok: boolean, count: number) => void) => void} Execute */
/** @typedef {{name: string, size: number}} Stored */

const toolFolder = "/go", work = "/build";
const environment = { GOROOT: toolFolder, GOOS: "js", GOARCH: "wasm", HOME: "/home", TMPDIR: "/tmp", GOGC: "400" };

let base = "";
let tools = /** @type {Record<string, Stored>} */ ({});
let bundles = /** @type {(Stored & {parts: Stored[]})[]} */ ([]);
/** What the tool that runs has printed. */
let said = "";
const decoder = new TextDecoder();
const prints = { write: (/** @type {Uint8Array} */ data) => { said += decoder.decode(data); } };
devices.set(0, {}).set(1, prints).set(2, prints);

const modules = /** @type {Map<string, Promise<WebAssembly.Module>>} */ (new Map());
/** @param {string} name @returns {Promise<WebAssembly.Module>} */
function tool(name) {
	let module = modules.get(name);
	if (!module) {
		module = program(base, tools[name].name);
		module.catch(() => modules.delete(name)); // the next that asks may have more luck
		modules.set(name, module);
	}
	return module;
}

/** Ends the program of the cell that runs. */
let interrupt = () => {};

/** @param {string} path of the program @param {string[]} args @param {string[]} env @param {string} folder @param {(to: number, data: Uint8Array) => void} wrote */
function start(path, args, env, folder, wrote) {
	const worker = new Worker(new URL("cell.js", import.meta.url), { type: "module" });
	const ended = new Promise((resolve) => {
		const end = (/** @type {string} */ how) => {
			worker.terminate();
			interrupt = () => {};
			resolve(how);
		};
		interrupt = () => end("signal: interrupt");
		worker.onmessage = ({ data }) => {
			if (data.wrote) wrote(data.to, data.wrote);
			else if (data.path) change(data.path, data.bytes, data.folder);
			else end(data.ended);
		};
		worker.onerror = (event) => {
			event.preventDefault(); // it is the cell's, and not this worker's
			end(event.message || "the program cannot be run");
		};
	});
	const kept = [...files].filter(([name]) => !name.startsWith(toolFolder + "/") && !name.startsWith(work + "/"));
	const program = /** @type {Uint8Array} */ (get(path));
	worker.postMessage({ program, args, env, folder, files: kept.map(([name, file]) => [name, file.bytes.subarray(0, file.size)]) });
	return Promise.resolve({ ended, answer: (/** @type {Uint8Array} */ data) => worker.postMessage({ answer: data }) });
}

/** Does what a cell has done to a file. @param {string} path @param {Uint8Array<ArrayBuffer> | undefined} content @param {boolean} folder */
function change(path, content, folder) {
	if (folder) makeFolder(path);
	else if (content) put(path, content);
	else files.delete(path);
}

/** @type {(execute: Execute) => void} */
let ready = () => {};
const started = /** @type {Promise<Execute>} */ (new Promise((resolve) => { ready = resolve; }));

/** Loads a file with others that are loaded together. @param {{name: string, parts: Stored[]}} bundle */
async function unbundle({ name, parts }) {
	const content = await bytes(base, name);
	let at = 0;
	for (const part of parts) put(`${toolFolder}/${part.name}`, content.subarray(at, at += part.size));
}

globalThis.marginaliaHost = {
	work, start, ready,
	/** @param {string[]} names */
	async load(names) {
		const lacking = new Set(names.filter((name) => !get(`${toolFolder}/${name}`)));
		const wanted = bundles.filter(({ parts }) => parts.some(({ name }) => lacking.has(name)));
		for (const { parts } of wanted) for (const { name } of parts) lacking.delete(name);
		await Promise.all([tool("compile"), tool("link"), ...wanted.map(unbundle), ...[...lacking].map(async (name) => put(`${toolFolder}/${name}`, await bytes(base, name)))]);
		rest();
		postMessage({ loaded: progress.loaded, all: progress.all, done: true });
		return toolFolder;
	},
	/** @param {string} name @param {string[]} args */
	async tool(name, args) {
		said = "";
		const go = new Go();
		let status = 0;
		Object.assign(go, { argv: [name, ...args], env: environment, exit: (/** @type {number} */ code) => { status = code; } });
		await go.run(await WebAssembly.instantiate(await tool(name), go.importObject));
		stopTimers(go);
		return { said, status };
	},
};

/** @param {string} address of the manifest's folder @param {string} folder of the notebook */
async function begin(address, folder) {
	base = address;
	const text = await fetched(new URL("go.json.lzma", base).href);
	const manifest = JSON.parse(decoder.decode(text));
	({ tools, bundles } = manifest);
	const packages = /** @type {{export: Stored, object: Stored}[]} */ (Object.values(manifest.packages));
	const all = [...Object.values(tools), ...bundles, ...packages.flatMap((p) => [p.export, p.object])];
	progress.sizes = new Map(all.map(({ name, size }) => [new URL(name, base).href, size]));
	progress.told = () => postMessage({ loaded: progress.loaded, all: progress.all });
	for (const name of Object.keys(tools)) void tool(name); // all at once, so that it is known how much there is to load
	put(`${work}/go.json`, text);
	makeFolder(folder);
	const go = new Go();
	Object.assign(go, { argv: ["kernel", `${work}/go.json`, folder], env: environment });
	void go.run(await WebAssembly.instantiate(await tool("kernel"), go.importObject));
	await forgetOthers(base, all.map(({ name }) => name));
}

/** @param {{id: number, cell: string, source: string, above?: string[]}} ask @returns {Promise<void>} */
async function execute({ id, cell, source, above }) {
	const run = await started;
	return new Promise((resolve) => {
		run(cell, source, above, (output) => postMessage({ id, output: JSON.parse(output) }), (ok, count) => {
			postMessage({ id, done: { ok, count } });
			resolve();
		});
	});
}

let last = Promise.resolve();
globalThis.addEventListener("message", (/** @type {MessageEvent<Ask>} */ { data }) => {
	if (data.type === "interrupt") interrupt();
	else if (data.type === "start") begin(data.base, data.folder).catch((why) => postMessage({ failed: String(why) }));
	else last = last.then(() => execute(data));
});

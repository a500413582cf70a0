// The worker of a notebook's kernel: it runs the kernel's program, the compiler and the linker in one
// file system, and each cell in a worker of its own, which can be ended.

import { devices, files, folders, get, hooks, makeFolder, put } from "./files.js";
import "./wasm_exec.js";
import { roomy } from "./memory.js";
import { forget, rested } from "./resting.js";
import { bytes, fetched, forgetOthers, program, progress, rest, service } from "./store.js";
import { stopTimers } from "./timers.js";

/** @typedef {{id: number, cell: string, at: number}} Question */
/** @typedef {{type: "start", base: string, folder: string, stills: boolean, controlled: boolean} | {type: "controlled"} | {type: "complete" | "inspect"} & Question | {type: "execute", id: number, cell: string, source: string, above?: string[], unnumbered: boolean} | {type: "put", path: string, bytes?: Uint8Array<ArrayBuffer>} | {type: "input", line: string | null} | {type: "interrupt"}} Ask */
/** @typedef {(id: string, source: string, above: string[] | undefined, unnumbered: boolean, show: (output: string) => void, done: (ok: boolean, count: number) => void, ask: (prompt: string, password: boolean) => void) => void} Execute */
/** @typedef {(cell: string, at: number, inspect: boolean, done: (question: string | null, prefix: number) => void) => void} Asks */
/** @typedef {(line: string | null) => void} Types gives the program a line, or the end of its input */
/** @typedef {(question: string, inspect: boolean, done: (answer: string) => void) => void} Completer */
/** @typedef {{name: string, size: number}} Stored */

const toolFolder = "/go", work = "/build", notebooks = "/notebooks/";
const environment = { GOROOT: toolFolder, GOOS: "js", GOARCH: "wasm", HOME: "/home", TMPDIR: "/tmp", GOGC: "400" };

/** What the tools have at first, in MiB. With README's cell the compiler comes to 24 and the linker to 237. */
const heaps = /** @type {Record<string, number>} */ ({ compile: 64, link: 256, kernel: 64 });

/** The tools that execute a cell. */
const needed = ["kernel", "compile", "link"];

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

/** Ends the program of the cell that runs, or that which is still being built when it starts. */
let interrupt = () => {}, interrupted = false;
const byInterrupt = "signal: interrupt";

/** The worker of the next cell's program: it begins while the program is built. @type {Worker | undefined} */
let next;

/** @returns {Worker} */
function beginNext() {
	const worker = next = new Worker(new URL("cell.js", import.meta.url), { type: "module" });
	worker.onerror = (event) => {
		event.preventDefault(); // the next cell tries again
		next = undefined;
	};
	return worker;
}

/** @param {string} path of the program @param {string[]} args @param {string[]} env @param {string} folder @param {(to: number, data: Uint8Array) => void} wrote */
function start(path, args, env, folder, wrote) {
	if (interrupted) return Promise.resolve({ ended: Promise.resolve(byInterrupt), answer: () => {} });
	const worker = next ?? beginNext();
	next = undefined;
	const ended = new Promise((resolve) => {
		const end = (/** @type {string} */ how) => {
			worker.terminate();
			beginNext();
			interrupt = () => {};
			resolve(how);
		};
		interrupt = () => end(byInterrupt);
		worker.onmessage = ({ data }) => {
			if (data.wrote) {
				wrote(data.to, data.wrote);
				if (data.to === 1 || data.to === 2) worker.postMessage({ taken: data.wrote.length });
			}
			else if (data.path) change(data.path, data.bytes, data.folder, true);
			else end(data.ended);
		};
		worker.onerror = (event) => {
			event.preventDefault(); // it is the cell's, and not this worker's
			end(event.message || "the program cannot be run");
		};
	});
	const kept = [...files].filter(([name]) => !name.startsWith(toolFolder + "/") && !name.startsWith(work + "/"));
	const program = /** @type {Uint8Array} */ (get(path));
	worker.postMessage({ program, args, env, folder, folders: [...folders], files: kept.map(([name, file]) => [name, file.bytes.subarray(0, file.size)]) });
	return Promise.resolve({ ended, answer: (/** @type {Uint8Array} */ answer) => worker.postMessage({ answer }), type: (/** @type {Uint8Array} */ typed) => worker.postMessage({ typed }) });
}

/** Does what a cell or the page has done to a file. @param {string} path @param {Uint8Array<ArrayBuffer> | undefined} content @param {boolean} folder @param {boolean} cell */
function change(path, content, folder, cell) {
	if (folder) makeFolder(path);
	else if (content) put(path, content);
	else files.delete(path);
	if (cell && !folder) tell(path);
}

/** Tells the page of a file that has changed beside a notebook. @param {string} path */
function tell(path) {
	if (path.startsWith(notebooks) && !folders.has(path)) postMessage({ changed: path, bytes: get(path)?.slice() });
}
hooks.changed = tell;

/** @type {(execute: Execute, ask: Asks, type: Types) => void} */
let ready = () => {};
const started = /** @type {Promise<{execute: Execute, ask: Asks, type: Types}>} */ (new Promise((resolve) => { ready = (execute, ask, type) => resolve({ execute, ask, type }); }));

const unbundled = /** @type {Map<string, Promise<void>>} */ (new Map());
/** Loads a file with others that are loaded together, once. @param {{name: string, parts: Stored[]}} bundle */
function unbundle({ name, parts }) {
	const load = async () => {
		const content = await bytes(base, name);
		let at = 0;
		for (const part of parts) put(`${toolFolder}/${part.name}`, content.subarray(at, at += part.size));
	};
	const loading = unbundled.get(name) ?? load();
	unbundled.set(name, loading);
	loading.catch(() => unbundled.delete(name)); // the next that asks may have more luck
	return loading;
}

const loading = /** @type {Map<string, Promise<void>>} */ (new Map());
/** Loads a file, with others if it is in a bundle, once. @param {string} name @returns {Promise<void>} */
function loaded(name) {
	if (get(`${toolFolder}/${name}`)) return Promise.resolve();
	const bundle = bundles.find(({ parts }) => parts.some((part) => part.name === name));
	if (bundle) return unbundle(bundle);
	const one = loading.get(name) ?? bytes(base, name).then((content) => put(`${toolFolder}/${name}`, content));
	loading.set(name, one);
	one.finally(() => loading.delete(name)).catch(() => {});
	return one;
}

globalThis.marginaliaHost = {
	work, start, ready,
	/** Loads files. Those of later come meanwhile, for another call; without them, a cell then has all that it needs. @param {string[]} names @param {string[]} later */
	async load(names, later) {
		const all = names.map(loaded);
		for (const name of later) loaded(name).catch(() => {}); // the other call says it
		await Promise.all(later.length > 0 ? all : [...all, ...needed.map(tool)]);
		if (later.length > 0) return toolFolder;
		rest();
		postMessage({ loaded: progress.loaded, all: progress.all, done: true });
		return toolFolder;
	},
	/** @param {string} name @param {string[]} args */
	async tool(name, args) {
		const create = async () => {
			const go = Object.assign(new Go(), { argv: [name, ...args], env: environment });
			return { go, instance: roomy(await WebAssembly.instantiate(await tool(name), go.importObject), heaps[name]) };
		};
		// What else a tool reads has the hash of its content in its name, unless it was built here.
		const all = JSON.stringify([name, ...args]), config = decoder.decode(get(args[args.indexOf("-importcfg") + 1]));
		said = "";
		if (name === "compile" || !config.includes(`=${work}/`)) {
			const status = await rested(all, config, create);
			if (status === 0 || status && name === "compile" && !said.includes("\ngoroutine ")) return { said, status };
			forget(all); // the linker says then why it fails, and what crashed gets another chance
		}
		said = "";
		let status = 0;
		const { go, instance } = await create();
		go.exit = (/** @type {number} */ code) => { status = code; };
		await go.run(instance);
		stopTimers(go);
		return { said, status };
	},
};

/** @param {string} address of the manifest's folder @param {string} folder of the notebook @param {boolean} stills whether figures need a PNG */
async function begin(address, folder, stills) {
	base = address;
	const text = await fetched(new URL("go.json.lzma", base).href);
	const manifest = JSON.parse(decoder.decode(text));
	({ tools, bundles } = manifest);
	const packages = /** @type {{export: Stored, object: Stored}[]} */ (Object.values(manifest.packages));
	const all = [...Object.values(tools), ...bundles, ...packages.flatMap((p) => [p.export, p.object])];
	progress.sizes = new Map(all.map(({ name, size }) => [new URL(name, base).href, size]));
	progress.told = () => postMessage({ loaded: progress.loaded, all: progress.all });
	for (const name of needed) void tool(name); // all at once: the kernel begins meanwhile, and it is known how much there is to load
	for (const bundle of bundles.slice(0, 1)) void unbundle(bundle); // what every cell needs (package toolchain)
	put(`${work}/go.json`, text);
	makeFolder(folder);
	beginNext();
	const go = new Go();
	Object.assign(go, { argv: ["kernel", `${work}/go.json`, folder], env: { ...environment, MARGINALIA_STILLS: stills ? "1" : "0" } });
	void go.run(roomy(await WebAssembly.instantiate(await tool("kernel"), go.importObject), heaps.kernel));
	await forgetOthers(base, all.map(({ name }) => name));
}

/** @param {{id: number, cell: string, source: string, above?: string[], unnumbered: boolean}} ask @returns {Promise<void>} */
async function run({ id, cell, source, above, unnumbered }) {
	interrupted = false;
	const { execute } = await started;
	return new Promise((resolve) => {
		execute(cell, source, above, unnumbered, (output) => postMessage({ id, output: JSON.parse(output) }), (ok, count) => {
			postMessage({ id, done: { ok, count } });
			resolve();
		}, (prompt, password) => postMessage({ id, output: { output_type: "input_request", prompt, password } }));
	});
}

/** The program that completes names. @type {Promise<Completer> | undefined} */
let completes;

/** @returns {Promise<Completer>} */
async function completer() {
	const go = new Go();
	Object.assign(go, { argv: ["complete"], env: environment });
	const instance = await WebAssembly.instantiate(await tool("complete"), go.importObject);
	return new Promise((resolve) => {
		globalThis.marginaliaHost.completer = resolve;
		void go.run(instance);
	});
}

/** @param {{type: "complete" | "inspect"} & Question} question @returns {Promise<void>} */
async function answer({ type, id, cell, at }) {
	const { ask } = await started, inspect = type === "inspect";
	const { question, prefix } = /** @type {{question: string | null, prefix: number}} */ (await new Promise((resolve) => {
		ask(cell, at, inspect, (question, prefix) => resolve({ question, prefix }));
	}));
	let found = inspect ? "" : "[]";
	if (question !== null) {
		completes ??= completer();
		completes.catch(() => { completes = undefined; }); // the next that asks may have more luck
		found = await completes.then((c) => new Promise((resolve) => c(question, inspect, resolve)), () => found);
	}
	postMessage({ id, done: { prefix, found } });
}

let last = Promise.resolve();
globalThis.addEventListener("message", (/** @type {MessageEvent<Ask>} */ { data }) => {
	if (data.type === "start") service.controls = data.controlled;
	if (data.type === "controlled") service.controls = true;
	else if (data.type === "interrupt") {
		interrupted = true;
		interrupt();
	}
	else if (data.type === "input") void started.then(({ type }) => type(data.line));
	else if (data.type === "start") begin(data.base, data.folder, data.stills).catch((why) => postMessage({ failed: String(why) }));
	else if (data.type === "put") change(data.path, data.bytes, false, false);
	else last = last.then(() => data.type === "execute" ? run(data) : answer(data));
});

// The worker of a notebook's kernel: it runs the kernel's program and the compiler in one file system,
// the linker in a worker beside it, and each cell in a worker of its own, which can be ended.

import { files, folders, get, hooks, makeFolder, put } from "./files.js";
import { fetched, forgetOthers, progress, rest, service } from "./store.js";
import { environment, instance, loaded, open, run as runTool, tool, toolFolder, work } from "./toolbox.js";

/** @typedef {{id: number, cell: string, at: number}} Question */
/** @typedef {{type: "start", base: string, folder: string, stills: boolean, controlled: boolean} | {type: "controlled"} | {type: "complete" | "inspect"} & Question | {type: "execute", id: number, cell: string, source: string, above?: string[], unnumbered: boolean} | {type: "put", path: string, bytes?: Uint8Array<ArrayBuffer>} | {type: "input", line: string | null} | {type: "interrupt"}} Ask */
/** @typedef {(id: string, source: string, above: string[] | undefined, unnumbered: boolean, show: (output: string) => void, done: (ok: boolean, count: number) => void, ask: (prompt: string, password: boolean) => void) => void} Execute */
/** @typedef {(cell: string, at: number, inspect: boolean, done: (question: string | null, prefix: number) => void) => void} Asks */
/** @typedef {(line: string | null) => void} Types gives the program a line, or the end of its input */
/** @typedef {(question: string, inspect: boolean, done: (answer: string) => void) => void} Completer */
/** @typedef {import("./toolbox.js").Stored} Stored */

const notebooks = "/notebooks/";

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

/** The linker's worker, and who waits for it. */
const linker = new Worker(new URL("linker.js", import.meta.url), { type: "module" });
const linking = /** @type {Map<number, {resolve: (done: {said: string, status: number}) => void, reject: (why: Error) => void}>} */ (new Map());
/** What it has loaded. */
let beside = { loaded: 0, all: 0 };
let links = 0;
linker.onmessage = ({ data: { id, done, program, failed, ...state } }) => {
	if (id === undefined) {
		beside = state;
		return progressed(done);
	}
	if (program) put(`${work}/main.wasm`, program);
	if (failed) linking.get(id)?.reject(new Error(failed));
	else linking.get(id)?.resolve(done);
	linking.delete(id);
};
linker.onerror = (event) => postMessage({ failed: event.message || "the linker cannot be loaded" });

/** @param {boolean} [done] whether a cell has all that it needs */
function progressed(done) {
	postMessage({ loaded: progress.loaded + beside.loaded, all: progress.all + beside.all, done });
}
progress.told = progressed;

/** What the linker reads of what was made here: the list of packages, and their files. @param {string[]} args */
function made(args) {
	const config = /** @type {Uint8Array<ArrayBuffer>} */ (get(args[args.indexOf("-importcfg") + 1])), text = new TextDecoder().decode(config);
	const paths = [...text.matchAll(new RegExp(`=(${work}/.*)$`, "gm"))].map(([, path]) => path);
	return { config, files: [...paths, args[args.length - 1]].map((path) => [path, get(path)]) };
}

globalThis.marginaliaHost = {
	work, start, ready,
	/** @param {string[]} names */
	async load(names) {
		await Promise.all(names.map(loaded));
		rest();
		return toolFolder;
	},
	/** @param {string[]} args of the linker */
	begin(args) {
		linker.postMessage({ type: "begin", args, config: made(args).config });
	},
	/** @param {string} name @param {string[]} args */
	tool(name, args) {
		if (name !== "link") return runTool(name, args);
		return new Promise((resolve, reject) => {
			linking.set(++links, { resolve, reject });
			linker.postMessage({ type: "link", id: links, args, ...made(args) });
		});
	},
};

/** @param {string} address of the manifest's folder @param {string} folder of the notebook @param {boolean} stills whether figures need a PNG */
async function begin(address, folder, stills) {
	const text = await fetched(new URL("go.json.lzma", address).href);
	const { tools, bundles, packages } = /** @type {import("./toolbox.js").Box & {packages: Record<string, {export: Stored, object: Stored}>}} */ (JSON.parse(new TextDecoder().decode(text)));
	const all = [...Object.values(tools), ...bundles, ...Object.values(packages).flatMap((p) => [p.export, p.object])];
	const box = { base: address, tools, bundles, sizes: all.map(({ name, size }) => /** @type {[string, number]} */ ([new URL(name, address).href, size])) };
	open(box);
	for (const name of ["kernel", "compile"]) void tool(name); // all at once: the kernel begins meanwhile, and it is known how much there is to load
	void tool("kernel").catch(() => {}).then(() => linker.postMessage({ type: "start", box, controlled: service.controls })); // what it loads is needed last
	put(`${work}/go.json`, text);
	makeFolder(folder);
	beginNext();
	const { go, instance: kernel } = await instance("kernel", [`${work}/go.json`, folder], { ...environment, MARGINALIA_STILLS: stills ? "1" : "0" });
	void go.run(kernel);
	await forgetOthers(address, all.map(({ name }) => name));
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
	const { go, instance: one } = await instance("complete", []);
	return new Promise((resolve) => {
		globalThis.marginaliaHost.completer = resolve;
		void go.run(one);
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
	if (data.type === "controlled") {
		service.controls = true;
		linker.postMessage(data);
	} else if (data.type === "interrupt") {
		interrupted = true;
		interrupt();
	}
	else if (data.type === "input") void started.then(({ type }) => type(data.line));
	else if (data.type === "start") begin(data.base, data.folder, data.stills).catch((why) => postMessage({ failed: String(why) }));
	else if (data.type === "put") change(data.path, data.bytes, false, false);
	else last = last.then(() => data.type === "execute" ? run(data) : answer(data));
});

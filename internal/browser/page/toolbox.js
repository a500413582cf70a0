// The tools of the site's manifest, each a program of Go, and the files that they read, as a worker has them: the kernel's
// has the compiler, and linker.js the linker.

import { devices, get, put } from "./files.js";
import "./wasm_exec.js";
import { roomy } from "./memory.js";
import { forget, prepare, rested } from "./resting.js";
import { bytes, program, progress } from "./store.js";
import { stopTimers } from "./timers.js";

/** @typedef {{name: string, size: number}} Stored */
/** @typedef {{base: string, tools: Record<string, Stored>, bundles: (Stored & {parts: Stored[]})[], sizes: [string, number][]}} Box sizes are those of all files, by their addresses */

export const toolFolder = "/go", work = "/build";
export const environment = { GOROOT: toolFolder, GOOS: "js", GOARCH: "wasm", HOME: "/home", TMPDIR: "/tmp", GOGC: "400" };

/** What the tools have at first, in MiB. With README's cell the compiler comes to 24 and the linker to 237. */
const heaps = /** @type {Record<string, number>} */ ({ compile: 64, link: 256, kernel: 64 });

let box = /** @type {Box} */ ({ base: "", tools: {}, bundles: [], sizes: [] });
/** What the tool that runs has printed. */
let said = "";
const decoder = new TextDecoder();
const prints = { write: (/** @type {Uint8Array} */ data) => { said += decoder.decode(data); } };
devices.set(0, {}).set(1, prints).set(2, prints);

/** Says what there is. @param {Box} given */
export function open(given) {
	box = given;
	progress.sizes = new Map(given.sizes);
}

const modules = /** @type {Map<string, Promise<WebAssembly.Module>>} */ (new Map());
/** @param {string} name @returns {Promise<WebAssembly.Module>} */
export function tool(name) {
	let module = modules.get(name);
	if (!module) {
		module = program(box.base, box.tools[name].name);
		module.catch(() => modules.delete(name)); // the next that asks may have more luck
		modules.set(name, module);
	}
	return module;
}

/** @param {string} name @param {string[]} args @param {Record<string, string>} [env] */
export async function instance(name, args, env = environment) {
	const go = Object.assign(new Go(), { argv: [name, ...args], env });
	return { go, instance: roomy(await WebAssembly.instantiate(await tool(name), go.importObject), heaps[name] ?? 0) };
}

const loading = /** @type {Map<string, Promise<void>>} */ (new Map());
/** Loads a file of the manifest, with others if it is in a bundle, once. @param {string} name @returns {Promise<void>} */
export function loaded(name) {
	if (get(`${toolFolder}/${name}`)) return Promise.resolve();
	const { name: file, parts } = box.bundles.find(({ parts }) => parts.some((part) => part.name === name)) ?? { name, parts: undefined };
	let one = loading.get(file);
	if (!one) {
		one = bytes(box.base, file).then((content) => {
			let at = 0;
			for (const part of parts ?? [{ name, size: content.length }]) put(`${toolFolder}/${part.name}`, content.subarray(at, at += part.size));
		});
		loading.set(file, one);
		one.catch(() => loading.delete(file)); // the next that asks may have more luck
	}
	return one;
}

/** Loads the first bundle, which every cell needs (package toolchain). */
export function loadFirst() {
	for (const { parts } of box.bundles.slice(0, 1)) loaded(parts[0].name).catch(() => {}); // who needs it says so
}

/** What else a tool reads has the hash of its content in its name, unless it was built here. @param {string[]} args */
function configOf(args) {
	const config = decoder.decode(get(args[args.indexOf("-importcfg") + 1]));
	return { config, built: config.includes(`=${work}/`) };
}

/** Runs the linker until it waits for the program, if it does. @param {string[]} args */
export async function begin(args) {
	const { config, built } = configOf(args);
	if (!built) await prepare(JSON.stringify(["link", ...args]), config, () => instance("link", args));
}

/** Runs the compiler or the linker to its end. @param {string} name @param {string[]} args @returns {Promise<{said: string, status: number}>} */
export async function run(name, args) {
	const all = JSON.stringify([name, ...args]), { config, built } = configOf(args);
	said = "";
	if (name === "compile" || !built) {
		const status = await rested(all, config, () => instance(name, args));
		if (status === 0 || status && name === "compile" && !said.includes("\ngoroutine ")) return { said, status };
		forget(all); // the linker says then why it fails, and what crashed gets another chance
	}
	said = "";
	let status = 0;
	const { go, instance: one } = await instance(name, args);
	go.exit = (/** @type {number} */ code) => { status = code; };
	await go.run(one);
	stopTimers(go);
	return { said, status };
}

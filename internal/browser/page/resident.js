// Keeps what the linker has loaded for the next link. Of a cell that somebody edits and runs again only its own
// package is another: the linker rests before it loads that (package toolchain, addRest), and the next link goes on
// from a copy of the memory, the registers and the JavaScript values that the linker had then.

import { roomy } from "./memory.js";
import { stopTimers } from "./timers.js";

/**
 * @typedef {{argv: string[], env: Record<string, string>, exit: (code: number) => void, importObject: WebAssembly.Imports, run: (instance: WebAssembly.Instance) => Promise<void>,
 * _inst: WebAssembly.Instance, mem: DataView, exited: boolean, _values: unknown[], _goRefCounts: number[], _ids: Map<unknown, number>, _idPool: number[]}} Program Go's, of wasm_exec.js
 */
/** @typedef {{key: string, go: Program, wake: () => void, memory: Uint8Array<ArrayBuffer>, registers: [string, number | bigint][], values: unknown[], counts: number[], ids: [unknown, number][], pool: number[]}} Rest */

/** The exit status of a linker that cannot rest before this program, or not go on with it (package toolchain). */
const cannotRest = 75;

/** @type {Rest | undefined} */
let kept;

/** @param {WebAssembly.Instance} instance @returns {WebAssembly.Memory} */
const memoryOf = (instance) => /** @type {WebAssembly.Memory} */ (instance.exports.mem);

/** @param {WebAssembly.Instance} instance @returns {[string, WebAssembly.Global][]} those that Go's runtime keeps in global variables */
const registersOf = (instance) => /** @type {[string, WebAssembly.Global][]} */ (Object.entries(instance.exports).filter(([, e]) => e instanceof WebAssembly.Global));

/** Copies all that a program has while it waits. @param {string} key @param {Program} go @param {() => void} wake @param {number} end of the memory that it uses @returns {Rest} */
function copied(key, go, wake, end) {
	return {
		key, go, wake, memory: new Uint8Array(memoryOf(go._inst).buffer, 0, end).slice(),
		registers: registersOf(go._inst).map(([name, { value }]) => [name, value]),
		values: [...go._values], counts: [...go._goRefCounts], ids: [...go._ids], pool: [...go._idPool],
	};
}

/** Has a program go on from a copy, in an instance of its own. @param {WebAssembly.Module} module @param {Rest} rest @param {number} size in MiB, as of roomy */
async function goOn(module, { go, wake, memory, registers, values, counts, ids, pool }, size) {
	const instance = roomy(await WebAssembly.instantiate(module, go.importObject), size), mem = memoryOf(instance);
	new Uint8Array(mem.buffer).set(memory);
	const own = Object.fromEntries(registersOf(instance));
	for (const [name, value] of registers) own[name].value = value;
	Object.assign(go, { _inst: instance, mem: new DataView(mem.buffer), exited: false, _values: [...values], _goRefCounts: [...counts], _ids: new Map(ids), _idPool: [...pool] });
	wake(); // the linker waits for nothing else: it runs to its end
	if (!go.exited) throw new Error("the linker waits");
	stopTimers(go);
}

/**
 * Links a program. It returns the exit status, or undefined if the linker has to be run without a rest: it may print
 * why it fails then.
 * @param {WebAssembly.Module} module @param {number} size in MiB, as of roomy @param {string} key of the arguments and of all files but that of main @param {() => Program} create makes the linker's program
 * @returns {Promise<boolean>} whether the program is linked; otherwise the linker has to be run without a rest
 */
export async function linked(module, size, key, create) {
	const last = kept?.key === key ? kept : undefined;
	kept = undefined; // an error, of whatever kind, leaves none
	let status = cannotRest;
	const exit = (/** @type {number} */ code) => { status = code; };
	if (last) {
		last.go.exit = exit;
		await goOn(module, last, size);
		if (status === 0) kept = last;
		if (status !== cannotRest) return status === 0;
	}
	const go = create();
	go.exit = exit;
	let rests = /** @type {{wake: () => void, end: number} | undefined} */ (undefined);
	const host = /** @type {{marginaliaRest?: (wake: () => void, end: number) => void}} */ (globalThis);
	host.marginaliaRest = (wake, end) => { rests = { wake, end }; };
	const ended = go.run(roomy(await WebAssembly.instantiate(module, go.importObject), size));
	delete host.marginaliaRest;
	if (rests) {
		const { wake, end } = rests, rest = copied(key, go, wake, end);
		wake();
		await ended;
		if (status === 0) kept = rest;
	}
	stopTimers(go);
	return status === 0;
}

// Lets the tools go on from where the last run was. Of a cell that somebody edits and runs again only its own package
// is another: the compiler waits before it reads that, and the linker before it loads it (package toolchain, addRests).
// The next run has the memory, the registers and the JavaScript values that the tool had then.

import { stopTimers } from "./timers.js";

/**
 * @typedef {{argv: string[], env: Record<string, string>, exit: (code: number) => void, importObject: WebAssembly.Imports, run: (instance: WebAssembly.Instance) => Promise<void>,
 * _inst: WebAssembly.Instance, mem: DataView, exited: boolean, _values: unknown[], _goRefCounts: number[], _ids: Map<unknown, number>, _idPool: number[]}} Program Go's, of wasm_exec.js
 */
/** @typedef {{wake: () => void, end: number, most: number}} Waits end and most are the addresses of the numbers of bytes that Go uses, and has */

/** The exit status of a linker that cannot wait before this program, or not go on with it (added/ld.go.txt in package toolchain). */
const cannot = 75;

/** A tool that waits, with a copy of what it has: it can go on from there any number of times. */
class Resting {
	/** @type {WebAssembly.Instance} */ #instance;
	/** @type {Uint8Array} */ #memory;
	/** @type {{register: WebAssembly.Global, value: unknown}[]} */ #registers = [];
	/** @type {unknown[]} */ #values;
	/** @type {number[]} */ #counts;
	/** @type {[unknown, number][]} */ #ids;
	/** @type {number[]} */ #pool;

	/** @param {Program} go @param {Waits} waits */
	constructor(go, waits) {
		this.go = go;
		this.waits = waits;
		this.#instance = go._inst;
		this.#memory = new Uint8Array(this.#buffer, 0, this.#used).slice();
		for (const register of Object.values(go._inst.exports)) if (register instanceof WebAssembly.Global) this.#registers.push({ register, value: register.value });
		this.#values = [...go._values];
		this.#counts = [...go._goRefCounts];
		this.#ids = [...go._ids];
		this.#pool = [...go._idPool];
	}

	get #buffer() { return /** @type {WebAssembly.Memory} */ (this.#instance.exports.mem).buffer; }
	get #used() { return new DataView(this.#buffer).getUint32(this.waits.end, true); }

	/** Puts everything back. The copy is shorter than what a program uses in the end, and Go wants zeros behind it. */
	restore() {
		const { go } = this, used = this.#used, bytes = new Uint8Array(this.#buffer), mem = new DataView(this.#buffer);
		bytes.set(this.#memory);
		bytes.fill(0, this.#memory.length, used);
		mem.setUint32(this.waits.most, bytes.length, true); // it may have grown
		for (const { register, value } of this.#registers) register.value = value;
		Object.assign(go, { _inst: this.#instance, mem, exited: false, _values: [...this.#values], _goRefCounts: [...this.#counts], _ids: new Map(this.#ids), _idPool: [...this.#pool] });
	}

	/** Has it run to its end. @returns {number} the exit status */
	goOn() {
		let status = cannot; // if it waits for something else
		this.go.exit = (code) => { status = code; };
		this.waits.wake();
		stopTimers(this.go);
		return status;
	}
}

/** The last by the arguments; a fresh one has not gone on yet. */
const kept = /** @type {Map<string, {key: string, resting: Resting, fresh?: boolean}>} */ (new Map());

/** Runs a tool until it waits, if it does, unless the last waits there. @param {string} args @param {string} key @param {() => Promise<{go: unknown, instance: WebAssembly.Instance}>} create as for rested */
export async function prepare(args, key, create) {
	if (kept.get(args)?.key === key) return;
	kept.delete(args);
	const resting = await begun(create);
	if (resting) kept.set(args, { key, resting, fresh: true });
}

/**
 * Runs a tool that waits. An error that it finds in the program does no harm to the copy.
 * @param {string} args @param {string} key of all else that it has read when it waits @param {() => Promise<{go: unknown, instance: WebAssembly.Instance}>} create makes its program
 * @returns {Promise<number | undefined>} the exit status, or undefined if it has to be run without a wait
 */
export async function rested(args, key, create) {
	const last = kept.get(args);
	kept.delete(args); // an error of this script's leaves none
	let resting = last?.key === key ? last.resting : undefined;
	if (!last?.fresh) resting?.restore();
	let status = resting?.goOn() ?? cannot;
	if (status === cannot) {
		resting = await begun(create);
		status = resting?.goOn() ?? cannot;
	}
	if (status === cannot || !resting) return undefined;
	kept.set(args, { key, resting });
	return status;
}

/** Has the next run of a tool begin anew. @param {string} args */
export function forget(args) {
	kept.delete(args);
}

/** Runs a tool until it waits, if it does. @param {() => Promise<{go: unknown, instance: WebAssembly.Instance}>} create */
async function begun(create) {
	const { go, instance } = /** @type {{go: Program, instance: WebAssembly.Instance}} */ (await create());
	let resting = /** @type {Resting | undefined} */ (undefined), waits = /** @type {Waits | undefined} */ (undefined);
	const host = /** @type {{marginaliaRest?: (wake: () => void, end: number, most: number) => void}} */ (globalThis);
	host.marginaliaRest = (wake, end, most) => { waits = { wake, end, most }; };
	go.exit = () => {};
	void go.run(instance);
	delete host.marginaliaRest;
	if (waits) resting = new Resting(go, waits);
	else stopTimers(go);
	return resting;
}

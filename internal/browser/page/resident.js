// Keeps what the linker has loaded for the next link. Of a cell that somebody edits and runs again only its own
// package is another: the linker rests before it loads that (package toolchain, addRest), and the next link goes on
// from there, with the memory, the registers and the JavaScript values that the linker had then.

import { roomy } from "./memory.js";
import { stopTimers } from "./timers.js";

/**
 * @typedef {{argv: string[], env: Record<string, string>, exit: (code: number) => void, importObject: WebAssembly.Imports, run: (instance: WebAssembly.Instance) => Promise<void>,
 * _inst: WebAssembly.Instance, mem: DataView, exited: boolean, _values: unknown[], _goRefCounts: number[], _ids: Map<unknown, number>, _idPool: number[]}} Program Go's, of wasm_exec.js
 */
/** @typedef {{wake: () => void, end: number, most: number}} Waits end and most are the addresses of the numbers of bytes that Go uses, and has */

/** The exit status of a linker that cannot rest before this program, or not go on with it (package toolchain). */
const cannotRest = 75;

/** A linker that waits, with a copy of what it has: it can go on from there any number of times. */
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
		let status = 0;
		this.go.exit = (code) => { status = code; };
		this.waits.wake();
		if (!this.go.exited) throw new Error("the linker waits once more");
		stopTimers(this.go);
		return status;
	}
}

/** @type {{key: string, resting: Resting} | undefined} */
let kept;

/**
 * Links a program.
 * @param {WebAssembly.Module} module @param {number} size of its memory in MiB @param {string} key of the arguments and of all files but that of main @param {() => unknown} create makes the linker's program
 * @returns {Promise<boolean>} whether it is linked; otherwise the linker has to be run without a rest, and may say why it fails
 */
export async function linked(module, size, key, create) {
	const last = kept?.key === key ? kept.resting : undefined;
	kept = undefined; // after an error, of whatever kind, there is none
	let status = cannotRest, resting = last;
	if (resting) {
		resting.restore();
		status = resting.goOn();
	}
	if (status === cannotRest) {
		const go = /** @type {Program} */ (create()), waits = /** @type {Waits[]} */ ([]);
		go.exit = () => {}; // it cannot rest, or there is an error
		Object.assign(globalThis, { marginaliaRest: (/** @type {() => void} */ wake, /** @type {number} */ end, /** @type {number} */ most) => waits.push({ wake, end, most }) });
		void go.run(roomy(await WebAssembly.instantiate(module, go.importObject), size));
		Object.assign(globalThis, { marginaliaRest: undefined });
		if (waits.length === 0) return false;
		resting = new Resting(go, waits[0]);
		status = resting.goOn();
	}
	if (status === 0 && resting) kept = { key, resting };
	return status === 0;
}

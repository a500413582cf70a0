// What the program of a cell reaches of JavaScript. Through the functions behind Go's package syscall/js it would
// have all that a worker of the site has: it could change what the browser keeps for the site, and ask for files
// in the reader's name. The code may be of somebody else, who sent a link to it.

// A constructor of functions makes them of text, and so leads to all that there is.
for (const f of [function () {}, async function () {}, function* () {}, async function* () {}]) delete Object.getPrototypeOf(f).constructor;

/** What Go's standard library looks for (packages os, syscall, syscall/js and time), and no more. */
const { Array, Date, Object: Plain, Uint8Array, fs, path, process } = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (globalThis));
const world = { Array, Date, Object: Plain, Uint8Array, fs, path, process };

/** Has a program take these few for all that is global. wasm_exec.js gives it the values when it starts. @param {object} go */
export function confine(go) {
	Object.defineProperty(go, "_values", {
		configurable: true,
		/** @param {unknown[]} values */
		set(values) {
			Object.defineProperty(go, "_values", { value: values.map((v) => v === globalThis ? world : v), configurable: true, writable: true });
		},
	});
}

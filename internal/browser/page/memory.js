// The memory of Go programs in WebAssembly.

const pages = 16; // in a MiB

/**
 * Gives a program memory before it runs. Go takes it by 512 KiB otherwise, each time V8 makes a new buffer,
 * and so many of them have it collect garbage without end: half of the time in which it links a figure.
 * Memory costs nothing until it is used.
 * @param {WebAssembly.Instance} instance @param {number} size in MiB @returns {WebAssembly.Instance}
 */
export function roomy(instance, size) {
	/** @type {WebAssembly.Memory} */ (instance.exports.mem).grow(size * pages);
	return instance;
}

// The memory of Go programs in WebAssembly.

const pages = 16; // of 64 KiB, in a MiB

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

/** The most pages that the program of a cell may take: 1 GiB. A browser ends a page as a whole that takes much more. */
const most = 1024 * pages;

/** @param {Uint8Array} bytes @param {number} at @returns {{value: number, end: number}} the number there, in LEB128 */
function number(bytes, at) {
	let value = 0;
	for (let shift = 0; ; shift += 7) {
		const byte = bytes[at++];
		value += (byte & 127) * 2 ** shift;
		if (byte < 128) return { value, end: at };
	}
}

/** @param {number} value @returns {number[]} in LEB128 */
const encoded = (value) => value < 128 ? [value] : [value % 128 + 128, ...encoded(Math.floor(value / 128))];

/**
 * Sets the most memory of a program of Go's linker, which sets none (WebAssembly Core Specification 2.0,
 * section 5.5.8). Growing then fails as on a computer without memory, and Go's runtime says so with a stack.
 * @param {Uint8Array<ArrayBuffer>} program @returns {Uint8Array<ArrayBuffer>}
 */
export function limited(program) {
	for (let at = 8; at < program.length;) { // behind the magic number and the version are the sections
		const size = number(program, at + 1), from = size.end, end = from + size.value;
		if (program[at] === 5 && program[from] === 1 && program[from + 1] === 0) { // one memory without a maximum
			const body = [1, 1, ...program.subarray(from + 2, end), ...encoded(most)];
			const section = [5, ...encoded(body.length), ...body], out = new Uint8Array(program.length - (end - at) + section.length);
			out.set(program.subarray(0, at));
			out.set(section, at);
			out.set(program.subarray(end), at + section.length);
			return out;
		}
		at = end;
	}
	throw new Error("the program has no memory to limit");
}

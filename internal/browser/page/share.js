// A link that carries edited cells in its fragment, which no server sees. It has the form of the playgrounds' links:
//
//	#cells&v=1&code=…
//
// code is JSON, an object with the sources by the cells' ids, deflated (RFC 1951), in base64url (RFC 4648, section 5).

const name = "cells", version = "1";
const longest = 8000; // letters: programs for mail and chat cut longer ones
const largest = 1 << 20; // bytes that a link may inflate to

/** @param {ReadableStream<Uint8Array>} stream @param {number} most @returns {Promise<Uint8Array<ArrayBuffer>>} */
async function read(stream, most) {
	const reader = stream.getReader(), parts = /** @type {BlobPart[]} */ ([]);
	for (let size = 0; ;) {
		const { done, value } = await reader.read();
		if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
		size += value.length;
		if (size > most) throw new Error(`more than ${most} bytes`);
		parts.push(/** @type {BlobPart} */ (value));
	}
}

/** @param {Map<string, string>} edits the sources by the cells' ids @returns {Promise<string>} the fragment */
export async function fragment(edits) {
	const text = JSON.stringify(Object.fromEntries(edits));
	const bytes = await read(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")), Infinity);
	const length = Math.ceil(bytes.length * 4 / 3);
	if (length > longest) throw new Error(`the edited code is too long for a link: ${length} letters when packed, and ${longest} is the most that every program passes on. Copy the code instead.`);
	const code = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
	return `#${name}&v=${version}&code=${code}`;
}

/** @param {string} hash of the page's address */
export const isLink = (hash) => hash.slice(1).split("&")[0] === name;

/** @param {string} hash @returns {Promise<Map<string, string>>} what a link carries; the error says what is wrong with it */
export async function carried(hash) {
	const fields = /** @type {Map<string, string>} */ (new Map());
	for (const part of hash.slice(1).split("&").slice(1)) {
		const [, key, value] = /^(\w+)=(.*)$/.exec(part) ?? [];
		if (!key || fields.has(key)) throw new Error("it wants each setting once, as name=value");
		fields.set(key, value);
	}
	if (fields.get("v") !== version) throw new Error("it is of another version");
	const sources = await unpacked(fields.get("code") ?? "").catch(() => {
		throw new Error("a part of it is missing or changed");
	});
	return sources;
}

/** @param {string} code @returns {Promise<Map<string, string>>} */
async function unpacked(code) {
	const bytes = Uint8Array.from(atob(code.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
	const text = new TextDecoder("utf-8", { fatal: true }).decode(await read(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")), largest));
	const sources = /** @type {Record<string, unknown>} */ (JSON.parse(text));
	const entries = Object.entries(sources);
	if (entries.length === 0 || Array.isArray(sources) || entries.some(([, source]) => typeof source !== "string")) throw new Error("no sources");
	return new Map(/** @type {[string, string][]} */ (entries));
}

// A worker that loads files, and inflates them in the order in which they are asked for.

import { inflate } from "./lzma.js";

/** @param {string} url @param {(size: number) => void} loaded is told of each part @returns {Promise<ArrayBuffer>} */
async function load(url, loaded) {
	const response = await fetch(url);
	if (!response.ok || !response.body) throw new Error(`${url}: ${response.status}`);
	const parts = /** @type {BlobPart[]} */ ([]), reader = response.body.getReader();
	for (;;) {
		const { done, value } = await reader.read();
		if (done) return new Blob(parts).arrayBuffer();
		parts.push(value);
		loaded(value.length);
	}
}

let last = Promise.resolve();
globalThis.addEventListener("message", (/** @type {MessageEvent<string>} */ { data: url }) => {
	const loading = load(url, (loaded) => globalThis.postMessage({ url, loaded }));
	last = Promise.allSettled([loading, last]).then(() => loading).then((packed) => {
		const content = inflate(new Uint8Array(packed));
		globalThis.postMessage({ url, content }, { transfer: [content.buffer] });
	}).catch((why) => globalThis.postMessage({ url, failed: String(why) }));
});

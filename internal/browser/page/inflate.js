// A worker that inflates one file after the other.

import { inflate } from "./lzma.js";

globalThis.addEventListener("message", (/** @type {MessageEvent<ArrayBuffer>} */ { data }) => {
	try {
		const content = inflate(new Uint8Array(data));
		globalThis.postMessage({ content }, { transfer: [content.buffer] });
	} catch (why) {
		globalThis.postMessage({ failed: String(why) });
	}
});

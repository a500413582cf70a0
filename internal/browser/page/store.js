// Fetches the deflated files of the tools and packages. Their names have the hash of their content, so
// what is in the browser's cache is never asked for again.

/** @param {string} base the address of the folder @param {string} name */
async function fetched(base, name) {
	const url = new URL(name, base).href;
	const cache = await globalThis.caches?.open("marginalia-go"); // only where the page is secure
	const kept = await cache?.match(url);
	if (kept) return kept;
	const response = await fetch(url);
	if (!response.ok) throw new Error(`${url}: ${response.status}`);
	await cache?.put(url, response.clone());
	return response;
}

/** @param {Response} response @param {string} [type] @returns {Response} with the content inflated (RFC 1951) */
function inflated(response, type = "application/octet-stream") {
	const body = response.body?.pipeThrough(new DecompressionStream("deflate-raw"));
	return new Response(body, { headers: { "Content-Type": type } });
}

/** @param {string} base @param {string} name @returns {Promise<Uint8Array<ArrayBuffer>>} */
export async function bytes(base, name) {
	return new Uint8Array(await inflated(await fetched(base, name)).arrayBuffer());
}

/** @param {string} base @param {string} name @returns {Promise<WebAssembly.Module>} */
export async function program(base, name) {
	return WebAssembly.compileStreaming(inflated(await fetched(base, name), "application/wasm"));
}

/** Forgets the files of older tools. @param {string} base @param {string[]} names that are in use */
export async function forgetOthers(base, names) {
	const cache = await globalThis.caches?.open("marginalia-go");
	const used = new Set(names.map((name) => new URL(name, base).href));
	for (const { url } of await cache?.keys() ?? []) if (url.startsWith(base) && !used.has(url)) await cache.delete(url);
}

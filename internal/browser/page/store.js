// Fetches the compressed files of the tools and packages. Their names have the hash of their content,
// so what the browser keeps is never asked for again. It is kept as it is used: LZMA takes longer to
// inflate than a disk to read.

/** How many bytes are loaded, of those that are asked for, and who is told. sizes are by the addresses. */
export const progress = { loaded: 0, all: 0, sizes: /** @type {Map<string, number>} */ (new Map()), told: () => {} };

/** @param {string} url @returns {Promise<Uint8Array<ArrayBuffer>>} the content, which is not kept */
export async function fetched(url) {
	progress.all += progress.sizes.get(url) ?? 0;
	const response = await fetch(url);
	if (!response.ok || !response.body) throw new Error(`${url}: ${response.status}`);
	const parts = /** @type {BlobPart[]} */ ([]), reader = response.body.getReader();
	for (;;) {
		const { done, value } = await reader.read();
		if (done) return inflated(await new Blob(parts).arrayBuffer());
		parts.push(value);
		if (!progress.sizes.has(url)) continue;
		progress.loaded += value.length;
		progress.told();
	}
}

// Inflating takes seconds, so some workers share it. Firefox 153 ends a worker at work to which nothing refers but
// its own messages.
const most = Math.min(4, navigator.hardwareConcurrency || 2);
const busy = /** @type {Set<Worker>} */ (new Set()), idle = /** @type {Worker[]} */ ([]), waiting = /** @type {((worker: Worker) => void)[]} */ ([]);
let workers = 0;

/** @returns {Promise<Worker>} */
function worker() {
	const free = idle.pop();
	if (free) return Promise.resolve(free);
	if (workers < most) {
		workers++;
		return Promise.resolve(new Worker(new URL("inflate.js", import.meta.url), { type: "module" }));
	}
	return new Promise((resolve) => { waiting.push(resolve); });
}

/** @param {Worker} done */
function free(done) {
	const next = waiting.shift();
	if (next) next(done);
	else idle.push(done);
}

/** @param {ArrayBuffer} packed @returns {Promise<Uint8Array<ArrayBuffer>>} */
async function inflated(packed) {
	const one = await worker();
	busy.add(one);
	try {
		return await new Promise((resolve, reject) => {
			one.onmessage = ({ data }) => data.failed ? reject(new Error(data.failed)) : resolve(data.content);
			one.onerror = (event) => reject(new Error(event.message || "inflate.js cannot be loaded"));
			one.postMessage(packed, [packed]);
		});
	} finally {
		busy.delete(one);
		free(one);
	}
}

/** @param {string} base the address of the folder @param {string} name @param {string} [type] @returns {Promise<Response>} its content */
async function content(base, name, type = "application/octet-stream") {
	const url = new URL(name, base).href;
	const cache = await globalThis.caches?.open("marginalia-go"); // only where the page is secure
	const kept = await cache?.match(url);
	if (kept) return kept;
	const response = new Response(await fetched(url), { headers: { "Content-Type": type } });
	await cache?.put(url, response.clone()).catch(() => {}); // the browser may have no room
	return response;
}

/** @param {string} base @param {string} name @returns {Promise<Uint8Array<ArrayBuffer>>} */
export async function bytes(base, name) {
	return new Uint8Array(await (await content(base, name)).arrayBuffer());
}

/** The service worker. */
export const service = { controls: false };

/**
 * Compiles a program. Chromium stores what its optimising compiler made of it, some seconds' work, only with what
 * comes from the store through a service worker, and not with what comes from the store itself.
 * @param {string} base @param {string} name @returns {Promise<WebAssembly.Module>}
 */
export async function program(base, name) {
	const kept = await content(base, name, "application/wasm");
	const served = service.controls ? await fetch(new URL(`${name}?kept`, base)).catch(() => null) : null; // the browser may have had no room
	return WebAssembly.compileStreaming(served ?? kept);
}

/** Ends the workers: all that is needed now is there. */
export function rest() {
	for (const one of idle.splice(0)) {
		one.terminate();
		workers--;
	}
}

/** Forgets the files of older tools. @param {string} base @param {string[]} names that are in use */
export async function forgetOthers(base, names) {
	const cache = await globalThis.caches?.open("marginalia-go");
	const used = new Set(names.map((name) => new URL(name, base).href));
	for (const { url } of await cache?.keys() ?? []) if (url.startsWith(base) && !used.has(url)) await cache.delete(url);
}

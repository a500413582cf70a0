// Fetches the compressed files of the tools and packages. Their names have the hash of their content,
// so what the browser keeps is never asked for again. It is kept as it is used: LZMA takes longer to
// inflate than a disk to read.

/** How many bytes are loaded, of those that are asked for, and who is told. sizes are by the addresses. */
export const progress = { loaded: 0, all: 0, sizes: /** @type {Map<string, number>} */ (new Map()), told: () => {} };

/**
 * Loading and inflating take seconds, so some workers share them, which go on while this one compiles. Firefox 153
 * ends a worker at work to which nothing refers but its own messages.
 * @typedef {{worker: Worker, size: number, asked: Map<string, {resolve: (content: Uint8Array<ArrayBuffer>) => void, reject: (why: Error) => void}>}} Loader size is that of what it is asked for
 */
const most = Math.min(4, navigator.hardwareConcurrency || 2);
const loaders = /** @type {Loader[]} */ ([]);

/** @returns {Loader} the one with the least to do */
function loader() {
	if (loaders.length === most) return loaders.reduce((one, other) => other.size < one.size ? other : one);
	const one = /** @type {Loader} */ ({ worker: new Worker(new URL("inflate.js", import.meta.url), { type: "module" }), size: 0, asked: new Map() });
	one.worker.onmessage = ({ data: { url, loaded, content, failed } }) => {
		if (loaded !== undefined) {
			if (!progress.sizes.has(url)) return;
			progress.loaded += loaded;
			progress.told();
			return;
		}
		const asked = one.asked.get(url);
		one.asked.delete(url);
		one.size -= progress.sizes.get(url) ?? 0;
		if (content) asked?.resolve(content);
		else asked?.reject(new Error(failed));
	};
	one.worker.onerror = (event) => { // inflate.js cannot be loaded: the next that asks may have more luck
		loaders.splice(loaders.indexOf(one), 1);
		for (const { reject } of one.asked.values()) reject(new Error(event.message || "inflate.js cannot be loaded"));
	};
	loaders.push(one);
	return one;
}

/** @param {string} url @returns {Promise<Uint8Array<ArrayBuffer>>} the content, which is not kept */
export function fetched(url) {
	const one = loader(), size = progress.sizes.get(url) ?? 0;
	progress.all += size;
	one.size += size;
	return new Promise((resolve, reject) => {
		one.asked.set(url, { resolve, reject });
		one.worker.postMessage(url);
	});
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
	const program = served?.headers.get("Content-Type") === "application/wasm" ? served : kept; // a worker that is older than the service worker may have asked the site itself
	return WebAssembly.compileStreaming(program);
}

/** Ends the workers that have nothing to do: all that is needed now is there. */
export function rest() {
	for (const one of loaders.filter(({ asked }) => asked.size === 0)) {
		one.worker.terminate();
		loaders.splice(loaders.indexOf(one), 1);
	}
}

/** Forgets the files of older tools. @param {string} base @param {string[]} names that are in use */
export async function forgetOthers(base, names) {
	const cache = await globalThis.caches?.open("marginalia-go");
	const used = new Set(names.map((name) => new URL(name, base).href));
	for (const { url } of await cache?.keys() ?? []) if (url.startsWith(base) && !used.has(url)) await cache.delete(url);
}

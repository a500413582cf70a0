// The service worker of a site whose cells run. It asks the network first, so that nobody reads an old page
// beside new ones, and without network it answers with what the reader has loaded before.

/** What store.js keeps: files whose names have the hash of their content. */
const tools = "marginalia-go", isTool = /\/[0-9a-f]{20}\.lzma$/;

/** What is kept here, with what was asked for last at the end, and how much of it. */
const pages = "marginalia-pages", most = 1000;

/** @param {string} address @returns {boolean} whether it is a part of the site that is kept here */
function isPart(address) {
	const { origin, pathname } = new URL(address);
	return origin === location.origin && !isTool.test(pathname);
}

const service = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

/** @param {Request} request @param {Response} response */
async function keep(request, response) {
	const cache = await caches.open(pages);
	await cache.put(request, response);
	const kept = await cache.keys();
	for (const old of kept.slice(0, Math.max(0, kept.length - most))) await cache.delete(old);
}

/** @param {FetchEvent} event @returns {Promise<Response>} */
async function answer(event) {
	const { request } = event;
	try {
		const response = await fetch(request);
		// It is no matter if the browser has no room.
		if (response.status === 200 && response.type === "basic") event.waitUntil(keep(request, response.clone()).catch(() => {}));
		return response;
	} catch (why) {
		const cache = await caches.open(pages), query = { ignoreVary: true, ignoreSearch: request.mode === "navigate" };
		const kept = await cache.match(request, { ignoreVary: true }) ?? await cache.match(request, query);
		if (kept) return kept;
		throw why;
	}
}

/** @param {string} url @returns {Promise<Response>} the program that store.js has kept */
async function program(url) {
	return await caches.match(url, { cacheName: tools, ignoreSearch: true }) ?? Response.error();
}

service.addEventListener("install", () => void service.skipWaiting());
service.addEventListener("activate", (event) => event.waitUntil(service.clients.claim()));

service.addEventListener("fetch", (event) => {
	const { method, url, headers } = event.request;
	if (method !== "GET") return;
	if (headers.get("Accept") === "text/event-stream") return; // it would stay open here after its page has closed: six of them, and the browser loads no more
	if (isPart(url)) event.respondWith(answer(event));
	else if (url.startsWith(location.origin) && url.endsWith("?kept")) event.respondWith(program(url));
});

// What a page has loaded before there was this worker.
service.addEventListener("message", (/** @type {ExtendableMessageEvent} */ event) => {
	const load = async (/** @type {string} */ url) => {
		if (await caches.match(url, { cacheName: pages })) return;
		const request = new Request(url), response = await fetch(request);
		if (response.status === 200 && response.type === "basic") await keep(request, response);
	};
	event.waitUntil(Promise.allSettled(event.data.filter(isPart).map(load)));
});

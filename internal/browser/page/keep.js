// Keeps what a page needs, so that it opens and its cells run without network, and sooner the next time. The
// service worker that does so (offline/offline.js) stands above the folder of the tools.

/** The scripts that run cells and edit them: a page does not know what its workers have loaded. */
const scripts = ["cell.js", "editor.js", "files.js", "given.js", "inflate.js", "kernel.js", "linker.js", "lzma.js", "memory.js", "resting.js", "store.js", "timers.js", "toolbox.js", "wasm_exec.js", "world.js"];

/** Begins to keep what the page loads. @param {string} base the address of the folder with the tools @returns {Promise<boolean>} whether the service worker controls the page, and the workers that it starts */
export async function controlled(base) {
	const container = navigator.serviceWorker; // only where the page is secure
	if (!container) return false;
	if (container.controller) return true;
	const control = new Promise((resolve) => { container.addEventListener("controllerchange", () => resolve(true), { once: true }); });
	try {
		await container.register(new URL("../offline.js", base));
	} catch (why) {
		console.warn("without network this page will not open:", why);
		return false;
	}
	return control;
}

/** Keeps what the page has loaded so far. @param {string} base */
export function keep(base) {
	const loaded = performance.getEntriesByType("resource").map(({ name }) => name), page = location.href.replace(/#.*/s, "");
	navigator.serviceWorker?.controller?.postMessage([page, ...loaded, ...[...scripts, "go.json.lzma"].map((name) => new URL(name, base).href)]);
}

// Registers the kernel of cells with JupyterLite. It is a prebuilt extension in the form of webpack's
// module federation: the page calls init with its shared modules, and get for the module that its
// configuration names.
(() => {
	const script = /** @type {HTMLScriptElement} */ (document.currentScript);
	const version = new URL(script.src).search, own = new URL("kernel.js" + version, script.src).href;
	/** @type {Record<string, Record<string, {loaded?: unknown, get: () => Promise<() => any>}>>} */
	let shared = {};

	async function extension() {
		// Tokens and classes must be those that JupyterLite has loaded.
		const versions = Object.values(shared["@jupyterlite/services"]);
		const [lite, { plugin }] = await Promise.all([(versions.find((v) => v.loaded) ?? versions[0]).get(), import(own)]);
		return () => plugin(lite());
	}

	globalThis._JUPYTERLAB ??= {};
	globalThis._JUPYTERLAB["marginalia-kernel"] = {
		init: (scope) => { shared = scope; },
		get: (module) => (module === "./extension" ? extension() : Promise.reject(new Error("no module " + module))),
	};
})();

// Says where the copy of a lecture is that contents.py has made, and opens the lecture as it was
// given. It is a prebuilt extension in the form of webpack's module federation: JupyterLab calls
// init with its shared modules, and get for the module that package.json names.

/** @typedef {import("./lab.js").App} App */
/** @typedef {import("./lab.js").Menu} Menu */

(() => {
	const command = "marginalia:original";
	/** @type {Record<string, Record<string, {loaded?: unknown, get: () => Promise<() => any>}>>} */
	let shared = {};

	/** @param {string} name of a module that JupyterLab has loaded */
	async function module(name) {
		const versions = Object.values(shared[name]);
		return (await (versions.find((v) => v.loaded) ?? versions[0]).get())();
	}

	async function extension() {
		const [{ Notification }, { IMainMenu }] = await Promise.all([module("@jupyterlab/apputils"), module("@jupyterlab/mainmenu")]);

		/** @param {App} app @param {Menu} menu */
		function activate({ commands, shell, serviceManager }, menu) {
			const open = (/** @type {string} */ path) => commands.execute("docmanager:open", { path });
			// The lecture that the notebook in front is a copy of, "" if it is none.
			const lecture = () => shell.currentWidget?.context?.model?.getMetadata?.("marginalia")?.copy?.of ?? "";
			commands.addCommand(command, {
				label: "Open the Original",
				caption: "Open the lecture that this notebook is a copy of, as it was given",
				isEnabled: () => lecture() !== "",
				execute: () => open("original/" + lecture()),
			});
			menu.fileMenu.addGroup([{ command }], 6); // behind what opens files
			serviceManager.contents.fileChanged.connect((_, { type, newValue }) => {
				const at = newValue?.marginalia_copy;
				if (!at) return;
				const [text, label, path] = type === "save"
					? [`Your changes are in a copy, ${at}. It opens in the original’s place.`, "Show the original", "original/" + newValue.path]
					: [`The duplicate is ${at}.`, "Open it", at];
				Notification.info(text, { autoClose: 15_000, actions: [{ label, callback: () => open(path) }] });
			});
		}
		return () => ({ id: "marginalia-copies:plugin", description: "Says where copies of lectures are.", autoStart: true, requires: [IMainMenu], activate });
	}

	globalThis._JUPYTERLAB ??= {};
	globalThis._JUPYTERLAB["marginalia-copies"] = {
		init: (scope) => { shared = scope; },
		get: (name) => (name === "./extension" ? extension() : Promise.reject(new Error("no module " + name))),
	};
})();

// The worker that links the programs of cells, beside the kernel's: it reads what the compiler did not make while that
// compiles.

import { get, put } from "./files.js";
import { progress, rest, service } from "./store.js";
import { begin, loadFirst, loaded, open, run, tool, toolFolder } from "./toolbox.js";

/** @typedef {{type: "start", box: import("./toolbox.js").Box, controlled: boolean} | {type: "controlled"} | {type: "begin", args: string[], config: Uint8Array} | {type: "link", id: number, args: string[], config: Uint8Array, files: [string, Uint8Array<ArrayBuffer>][]}} Ask */

/** Puts the list of a program's packages into its place, and loads them. @param {string[]} args @param {Uint8Array} config */
async function ready(args, config) {
	put(args[args.indexOf("-importcfg") + 1], config.slice());
	const names = new TextDecoder().decode(config).matchAll(new RegExp(`^packagefile .*=${toolFolder}/(.*)$`, "gm"));
	await Promise.all([tool("link"), ...[...names].map(([, name]) => loaded(name))]);
	rest();
	postMessage({ loaded: progress.loaded, all: progress.all, done: true });
}

let last = Promise.resolve();
globalThis.addEventListener("message", (/** @type {MessageEvent<Ask>} */ { data }) => {
	if (data.type === "controlled") service.controls = true;
	else if (data.type === "start") {
		service.controls = data.controlled;
		open(data.box);
		progress.told = () => postMessage({ loaded: progress.loaded, all: progress.all });
		tool("link").catch(() => {}); // who needs it says so
		loadFirst();
	} else if (data.type === "begin") {
		const { args, config } = data;
		last = last.then(() => ready(args, config)).then(() => begin(args)).catch(() => {}); // the link says so
	} else {
		const { id, args, config, files } = data;
		last = last.then(async () => {
			for (const [path, content] of files) put(path, content);
			await ready(args, config);
			const done = await run("link", args);
			postMessage({ id, done, program: get(args[args.indexOf("-o") + 1]) });
		}).catch((why) => postMessage({ id, failed: String(why) }));
	}
});

// The files that a site has for the programs of cells. A list names them, and each is loaded when a program opens it.

import { files, get, makeFolder, put } from "./files.js";

/** @typedef {{path: string, url: string, size: number, packed?: boolean}} Given packed by gzip; size is that of the content */

export const list = "/etc/given.json"; // client.js gives it to the kernel

/** @returns {Given[]} */
const given = () => JSON.parse(new TextDecoder().decode(get(list)) || "[]");

const loading = { begun: 0, told: 0, loaded: 0, files: 0 };

/** Shows how much is loaded, if that takes long. @param {(text: string) => void} say */
function tell(say) {
	const now = performance.now(), size = `the cell’s data: ${(loading.loaded / 1e6).toFixed(1)} MB`;
	if (loading.files === 0) {
		if (loading.told > 0) say(`\rloaded ${size} \n`);
		loading.told = 0;
	} else if (now - loading.begun > 1000 && now - loading.told > 200) {
		say(`\rloading ${size}`);
		loading.told = now;
	}
}

/** @param {Given} file @param {(text: string) => void} say @returns {Promise<Uint8Array<ArrayBuffer>>} */
async function content({ url, packed }, say) {
	const response = await fetch(url);
	if (!response.ok || !response.body) throw new Error(`the server says ${response.status}`);
	const counted = response.body.pipeThrough(new TransformStream({
		transform(/** @type {Uint8Array<ArrayBuffer>} */ part, to) {
			loading.loaded += part.length;
			tell(say);
			to.enqueue(part);
		},
	}));
	return new Uint8Array(await new Response(packed ? counted.pipeThrough(new DecompressionStream("gzip")) : counted).arrayBuffer());
}

/** @param {Given} file @param {(text: string) => void} say @returns {Promise<Uint8Array<ArrayBuffer>>} */
function load(file, say) {
	if (loading.files++ === 0) Object.assign(loading, { begun: performance.now(), loaded: 0 });
	const ended = content(file, say).finally(() => {
		loading.files--;
		tell(say);
	});
	return ended.catch((why) => {
		say(`${file.path} cannot be loaded: ${why instanceof Error ? why.message : why}\n`);
		throw Object.assign(new Error("EIO"), { code: "EIO" });
	});
}

/** Makes the files of the list known that are not there. @param {(text: string) => void} say shows text of the cell */
export function know(say) {
	for (const file of given()) {
		if (files.has(file.path)) continue; // a cell has written it
		let loaded = /** @type {Promise<Uint8Array<ArrayBuffer>> | undefined} */ (undefined);
		makeFolder(file.path.slice(0, file.path.lastIndexOf("/")));
		files.set(file.path, { bytes: new Uint8Array(0), size: file.size, changed: 0, load: () => loaded ??= load(file, say) });
	}
}

/** Takes a file that a cell has removed from the list, which the next cells get. @param {string} path @returns {boolean} whether it was there */
export function forget(path) {
	const left = given().filter((file) => file.path !== path);
	if (files.has(path) || left.length === given().length) return false;
	put(list, new TextEncoder().encode(JSON.stringify(left)));
	return true;
}

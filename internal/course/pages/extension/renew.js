// What a student has changed hides a newer release, since JupyterLite takes the browser's copy of a file if there is one.
// The student is told, and may take the newer release with the answers.

/** @typedef {import("./lite.js").Context} Context */
/** @typedef {import("./lite.js").Notebook} Notebook */
/** @typedef {import("./lite.js").NotebookCell} Cell */

const files = new URL("../../../files/", import.meta.url);

/** @param {Cell} cell */
const textOf = ({ source }) => (Array.isArray(source) ? source.join("") : source);
/** @param {Cell} cell */
const mine = ({ metadata }) => metadata.nbgrader?.solution === true || metadata.marginalia?.student === true;
/** @param {Cell} cell what names it in all releases */
const nameOf = (cell) => cell.metadata.nbgrader?.grade_id ?? cell.id;

/** What tells one release from another: its cells, without what students write. @param {Notebook} notebook @returns {Promise<string>} */
async function sumOf({ cells }) {
	const text = JSON.stringify(cells.map((c) => [c.cell_type, nameOf(c), textOf(c)]));
	const sum = await crypto.subtle?.digest("SHA-256", new TextEncoder().encode(text)); // only where the page is secure
	return sum ? btoa(String.fromCharCode(...new Uint8Array(sum))) : text;
}

/** A release with the answers of a student's notebook, and with the cells of code that the student has added. @param {Notebook} release @param {Notebook} own */
export function merged(release, own) {
	const given = new Map((own.metadata.marginalia?.release?.notebook?.cells ?? []).map((c) => [nameOf(c), textOf(c)]));
	const cells = [...release.cells], at = (/** @type {string} */ name) => cells.findIndex((c) => nameOf(c) === name);
	let last = -1;
	for (const cell of own.cells) {
		const name = nameOf(cell), i = at(name);
		if (i >= 0) {
			last = i;
			if (mine(cells[i]) && textOf(cell) !== given.get(name)) cells[i] = { ...cells[i], source: cell.source };
		} else if (cell.cell_type === "code" && !cell.metadata.nbgrader && !given.has(name)) cells.splice(++last, 0, cell);
	}
	return { ...release, cells };
}

/**
 * Tells the student if the notebook is of an older release than that of the site.
 * @param {Context} context @param {import("./lite.js").Copies} contents @param {(title: string, body: string, offer: string) => Promise<boolean>} say
 */
export async function renew(context, contents, say) {
	const path = context.localPath, key = `marginalia release ${files.pathname}${path}`;
	const response = await fetch(new URL(path.split("/").map(encodeURIComponent).join("/"), files), { cache: "no-cache" });
	if (!response.ok) return; // the site is down, and the browser's copy still there
	const release = /** @type {Notebook} */ (await response.json());
	const sum = await sumOf(release), known = localStorage.getItem(key);
	if (known === sum) return;
	if (!context.model.dirty) await context.revert(); // JupyterLite may have read an older file in the browser's cache, which the request above has renewed
	if (!known || await sumOf(context.model.toJSON()) === sum) {
		localStorage.setItem(key, sum);
		return;
	}
	const take = await say("There is a newer version of this assignment",
		"What you see is your own notebook, of the version before. Take the newer one: your answers come along, and your notebook of now stays beside it as a copy. If you close this, your notebook stays as it is, and you are asked again when you open it.", "Take the newer version");
	if (!take) return;
	await context.save();
	await contents.copy(path, "");
	context.model.fromJSON(merged(release, context.model.toJSON()));
	await context.save();
	localStorage.setItem(key, sum);
}

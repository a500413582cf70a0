// What a reader edited, which the browser keeps for the next visit: by the page's address and the cell's id, with
// the source that the page had then. Other pages of the same origin could read it.

/** @typedef {{code?: string, earlier: string[], changed: boolean}} Edits code stands in the page's place, earlier edits are offered; changed says that the page's code has changed since one of them */

const prefix = `marginalia-cell ${location.pathname}#`; // offer.js looks for it, too

/** @param {any} found @returns {found is Edits & {of: string}} */
const isRecord = (found) => typeof found?.of === "string" && ["string", "undefined"].includes(typeof found.code) && typeof found.changed === "boolean" && Array.isArray(found.earlier) && found.earlier.every((/** @type {unknown} */ code) => typeof code === "string");

/** @param {string} id @param {string} source that the page has now @returns {Edits} an edit of another source is offered */
export function kept(id, source) {
	let found;
	try {
		found = JSON.parse(localStorage.getItem(prefix + id) ?? "null");
	} catch {
		found = null; // the browser keeps nothing, or something else wrote it
	}
	if (!isRecord(found)) return { earlier: [], changed: false };
	const { of, code, earlier, changed } = found;
	return of === source || code === undefined ? { code, earlier, changed } : { earlier: [...earlier, code], changed: true };
}

/** @param {string} id @param {string} source @param {Edits} edits @returns {string} why they are not kept, "" if they are */
export function keep(id, source, { code, earlier, changed }) {
	try {
		if (code === undefined && earlier.length === 0) localStorage.removeItem(prefix + id);
		else localStorage.setItem(prefix + id, JSON.stringify({ of: source, code, earlier, changed }));
		return "";
	} catch (why) {
		const full = why instanceof DOMException && why.name === "QuotaExceededError";
		return `${full ? "The browser’s storage for this site is full" : "The browser keeps nothing for this site"}: this edit will be gone when you leave the page. Copy or share it.`;
	}
}

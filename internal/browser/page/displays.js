// What a cell shows, by its MIME types: the richest form that a page has.

import { element } from "./element.js";
import { drawn, html } from "./html.js";

/** @typedef {Record<string, unknown>} Bundle */
/** @typedef {import("./client.js").Output} Output */

const figure = "application/vnd.marginalia.figure", slider = "application/vnd.marginalia.slider";
const pictures = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp"];

/** The still of a display, if there is one. @param {Bundle} data @param {Bundle} metadata @returns {HTMLElement | undefined} */
function still(data, metadata) {
	const type = pictures.find((t) => typeof data[t] === "string");
	if (!type) return undefined;
	const size = /** @type {{width?: unknown, height?: unknown} | undefined} */ (metadata[type]);
	const image = /** @type {HTMLImageElement} */ (element("img", { src: `data:${type};base64,${data[type]}`, alt: String(metadata.alt ?? data["text/plain"] ?? "") }));
	if (type === "image/png") image.className = "plot"; // as the page's pictures that are likely to be figures on white
	if (Number(size?.width) > 0 && Number(size?.height) > 0) Object.assign(image, { width: Number(size?.width), height: Number(size?.height) });
	return image;
}

const library = () => import(new URL("figure.js", import.meta.url).href);

/** The figure with its values under the mouse, or with its slider, in place of its still; one that is a still alone has a menu, too. @param {Bundle} data @param {Bundle} metadata @returns {Promise<HTMLElement>} */
async function plotted(data, metadata) {
	const host = element("div", { class: "figure" }), image = still(data, metadata), packed = data[figure] ?? data[slider];
	if (image) host.append(image);
	let width = Number(image?.getAttribute("width"));
	try {
		if (typeof packed === "string") await (data[figure] ? (await library()).show : (await library()).slide)(host, packed, metadata.figure);
		else if (image && metadata.figure) host.prepend((await library()).tools(metadata.figure, `${width || 9999}px`));
	} catch (why) { // the still stays
		console.warn(why);
		if (!image) return words(data);
	}
	const svg = /** @type {SVGSVGElement | null} */ (host.querySelector(".marginalia-figure svg"));
	if (svg && !image) {
		svg.ariaLabel = String(metadata.alt);
		width = svg.viewBox.baseVal.width * 96 / 72;
	}
	if (width > 640) host.classList.add("wide"); // as internal/site has it
	return host;
}

/** What no form of a bundle is shown as: its words. @param {Bundle} data @returns {HTMLElement} */
function words(data) {
	const text = data["text/latex"] ?? data["text/plain"], json = data["application/json"];
	if (json !== undefined && data["text/latex"] === undefined) return element("pre", {}, JSON.stringify(json, undefined, 2));
	return text === undefined ? element("p", { class: "go-note" }, `This page does not show ${Object.keys(data).sort().join(", ") || "an empty display"}.`) : element("pre", {}, String(text));
}

/**
 * Markdown with its formulas, if the page drew the same text when it was made: its element data-markdown has the
 * sums of what cells have stored, by their ids. Other Markdown stays text.
 * @param {string} text @param {HTMLElement} place in the cell @returns {Promise<HTMLElement>}
 */
async function written(text, place) {
	const cell = place.closest("[id^='cell-id=']"), stored = cell?.querySelector(".cell_output");
	const sums = JSON.parse(/** @type {HTMLElement | null} */ (document.querySelector("[data-markdown]"))?.dataset.markdown ?? "{}");
	const sum = cell && sums[cell.id.slice("cell-id=".length)];
	if (sum && stored && globalThis.isSecureContext) { // others have no sums
		const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
		if (sum === [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("")) {
			const copy = element("div", { class: "go-written" });
			copy.append(...stored.cloneNode(true).childNodes);
			for (const e of copy.querySelectorAll("[id]")) e.removeAttribute("id");
			return copy;
		}
	}
	return element("pre", { class: "go-markdown" }, text);
}

/** An element for a display. The order is that of the site's pages (internal/site). @param {Output} o @param {HTMLElement} place in the cell @returns {Promise<HTMLElement> | HTMLElement} */
export function shown(o, place) {
	const data = o.data ?? {}, metadata = o.metadata ?? {}; // a program that gives none sends null
	if (data[figure] || data[slider]) return plotted(data, metadata);
	if (typeof data["text/html"] === "string") return html(data["text/html"]);
	if (typeof data["text/markdown"] === "string") return written(data["text/markdown"], place);
	if (typeof data["image/svg+xml"] === "string") return drawn(data["image/svg+xml"], String(metadata.alt ?? data["text/plain"] ?? ""));
	return pictures.some((t) => typeof data[t] === "string") && data["text/latex"] === undefined ? plotted(data, metadata) : words(data);
}

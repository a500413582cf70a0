// Shows figures in pages that nbconvert makes and in JupyterLab. An SVG with values under the mouse
// replaces the still, a PNG that the notebook has for other programs. What follows in one module with this
// (FigureScript in internal/install/lab): data.js reads the values of a figure, menu.js copies and saves it,
// slider.js moves it, player.js moves the slider, and start.js begins in pages.

export const figureType = "application/vnd.marginalia.figure";
export const sliderType = "application/vnd.marginalia.slider";

const limit = 30e6; // characters after unpacking, a hundred times what a notebook stores

/**
 * Unpacks text that is deflated (RFC 1951), in base64.
 * @param {string} packed
 */
async function unpack(packed) {
	const bytes = Uint8Array.from(atob(packed.trim()), (c) => c.charCodeAt(0));
	const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
	const chunks = [];
	let size = 0;
	for (let r = await reader.read(); !r.done; r = await reader.read()) {
		chunks.push(r.value);
		size += r.value.length;
		if (size > limit) throw new Error("figure: more than fits");
	}
	return new Blob(chunks).text();
}

// The elements and attributes that plotting writes, without style. Nothing else stays, since
// frames may be hostile: no script, no link, no address. CSS escapes could spell url(), so no
// value may have a backslash.
const svg = "http://www.w3.org/2000/svg";
const elements = new Set(["svg", "g", "path", "circle", "image", "text", "title"]);
const attributes = new Set(("width height viewBox x y cx cy r d preserveAspectRatio text-anchor " +
	"fill fill-opacity fill-rule stroke stroke-opacity stroke-width stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin " +
	"font-size font-family font-weight font-style").split(" "));

/** @param {string} name @param {string} value */
function admitted(name, value) {
	switch (name) {
		case "role": return value === "img";
		case "aria-label": return true;
		case "transform": return /^[-+\w\s.,()]*$/.test(value);
		case "xml:space": return value === "preserve";
		case "xlink:href": return value.startsWith("data:image/png;base64,");
	}
	return attributes.has(name) && !/[\\(]/.test(value);
}

/**
 * Builds the figure that a document shows.
 * @param {string} text
 */
export function figure(text) {
	// A page that forbids inline styles complains of each that is parsed, and no style stays.
	const bare = text.replace(/<style>[^<]*<\/style>/g, "").replace(/ style="[^"]*"/g, "");
	// The parser of HTML takes a third of the time of that of XML.
	const root = new DOMParser().parseFromString(bare, "text/html").body.firstElementChild;
	if (!(root instanceof SVGSVGElement)) throw new Error("figure: it is not SVG");
	prune(root);
	return document.adoptNode(root);
}

/** Removes from an element all that is not admitted. @param {Element} e */
function prune(e) {
	for (const name of e.getAttributeNames()) if (!admitted(name, e.getAttribute(name) ?? "")) e.removeAttribute(name);
	for (let child = e.firstChild, next; child; child = next) {
		next = child.nextSibling;
		if (child instanceof Element && elements.has(child.localName) && child.namespaceURI === svg) prune(child);
		else if (!(child instanceof Text)) child.remove();
	}
}

const style = new CSSStyleSheet();
style.replaceSync(`
.marginalia-slider { display: flex; flex-wrap: wrap; align-items: center; gap: .2em .8em; margin: .3em 0 .5em; color: var(--jp-content-font-color1, inherit); font-family: var(--jp-content-font-family, inherit); font-size: var(--jp-content-font-size1, inherit); }
.marginalia-slider input { flex: 0 1 20em; min-width: 8em; margin: 0; accent-color: var(--jp-brand-color1, #1976d2); }
.marginalia-slider output { min-width: 3.5em; font-variant-numeric: tabular-nums; }
.marginalia-slider small { opacity: .75; }
.marginalia-player { display: inline-flex; gap: 2px; width: 168px; height: 28px; }
.marginalia-player button { flex: none; width: 28px; min-height: 28px; padding: 0; }
.marginalia-player select { flex: 1; min-width: 0; min-height: 28px; padding: 0 2px; font: inherit; font-size: 13px; }
.marginalia-player :is(button, select) { color: inherit; background: transparent; border: 1px solid #8888; border-radius: 4px; }
.marginalia-player option { color: #000; background: #fff; }
.marginalia-player i { display: block; width: 16px; height: 16px; margin: auto; background: currentColor; forced-color-adjust: none; }
.marginalia-figure { overflow: clip; }
.marginalia-figure svg { display: block; max-width: 100%; height: auto; font-family: 'DejaVu Sans', Verdana, sans-serif; }
.marginalia-figure image { image-rendering: pixelated; }
.marginalia-tools { position: relative; z-index: 1; width: min(100%, var(--marginalia-wide)); height: 0; }
.marginalia-tools > button, .marginalia-tools > span, .marginalia-menu { color: var(--jp-ui-font-color1, var(--color-foreground-primary, CanvasText)); background: var(--jp-layout-color1, var(--color-background-primary, Canvas)); border: 1px solid #8888; border-radius: 4px; font: 13px/1.5 system-ui, sans-serif; }
.marginalia-tools > button { position: absolute; top: 3px; right: 3px; width: 28px; height: 24px; padding: 0; opacity: 0; }
.marginalia-tools > span { position: absolute; top: 3px; right: 35px; padding: 1px 6px; }
.marginalia-tools > span:empty { border: 0; padding: 0; }
.marginalia-tools:is(:hover, :focus-within, :has(+ :hover)) > button { opacity: 1; }
@media (hover: none) { .marginalia-tools > button { opacity: .8; } }
.marginalia-menu { position: fixed; inset: auto; margin: 0; padding: 3px; box-shadow: 0 2px 8px #0004; }
.marginalia-menu button { display: block; width: 100%; min-height: 28px; padding: 2px 10px; text-align: left; color: inherit; font: inherit; background: transparent; border: 0; border-radius: 3px; }
.marginalia-menu button:is(:hover, :focus) { background: #8883; }
@media screen { [data-jp-theme-light="false"] .marginalia-figure svg { filter: invert(.93) hue-rotate(180deg); } } /* as plotting's SVG files have it */
@media print { .marginalia-slider input, .marginalia-slider small, .marginalia-player, .marginalia-tools { display: none; } }
`);

/** Gives the page the styles of figures. */
function styled() {
	if (!document.adoptedStyleSheets.includes(style)) document.adoptedStyleSheets.push(style);
}

// An empty element that a figure is shown in.
export function holder() {
	styled();
	const e = document.createElement("div");
	e.className = "marginalia-figure";
	return e;
}

/** The width of a figure as it was drawn, in CSS. @param {HTMLElement} picture */
function widthOf(picture) {
	return `${picture.querySelector("svg")?.viewBox.baseVal.width ?? 360}pt`;
}

/**
 * Replaces the still in host by the figure, below its menu. The figure takes over the still's text alternative, which
 * may be the author's; its own is always plotting's.
 * @param {HTMLElement} host
 * @param {string} packed
 * @param {string} [name] of the figure
 */
export async function show(host, packed, name = "figure") {
	const svg = figure(await unpack(packed));
	svg.ariaLabel = host.querySelector("img")?.alt || svg.ariaLabel;
	const picture = holder();
	picture.append(svg);
	const menu = host.querySelector(".marginalia-tools");
	if (!menu) return host.replaceChildren(tools(name, widthOf(picture)), picture);
	for (const child of [...host.childNodes]) if (child !== menu) child.remove(); // the menu may have the focus
	host.append(picture);
}

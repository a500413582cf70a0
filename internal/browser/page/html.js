// HTML that a program shows, as elements of the page. Only what stands here stays: no scripts, no names that
// scripts of the page look for, no classes of the page, no addresses that a browser would load.

import { element } from "./element.js";

const elements = new Set(("a abbr b bdi bdo blockquote br caption center cite code col colgroup dd del details dfn div dl dt em figcaption figure font " +
	"h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q rp rt ruby s samp small span strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr").split(" "));
const attributes = new Set("align alt bgcolor border cellpadding cellspacing color colspan dir height lang open reversed rowspan scope span start title valign value width".split(" "));
// What the browser takes for these properties loads nothing and leaves the place of the element.
const properties = ("color background-color font-family font-size font-style font-weight text-align text-decoration-line vertical-align white-space " +
	"padding-top padding-right padding-bottom padding-left width max-width border-collapse " +
	["top", "right", "bottom", "left"].map((side) => `border-${side}-width border-${side}-style border-${side}-color`).join(" ")).split(" ");
const gone = new Set("script style template noscript iframe frame frameset object embed applet audio video canvas title head meta link base math select option textarea".split(" "));

const picture = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,]/, outside = /^(?:https?:|mailto:)/i;

/** @param {Element} from @param {HTMLElement} to */
function copyAttributes(from, to) {
	for (const { name, value } of from.attributes) if (attributes.has(name)) to.setAttribute(name, value);
	const style = from.getAttribute("data-style"), probe = document.createElement("span").style;
	if (style) probe.cssText = style;
	for (const name of style ? properties : []) to.style.setProperty(name, probe.getPropertyValue(name));
	const href = from.getAttribute("href") ?? "", src = from.getAttribute("src") ?? "";
	if (to.localName === "a" && outside.test(href)) Object.assign(to, { href, rel: "noopener noreferrer nofollow", target: "_blank" });
	if (to.localName === "img" && picture.test(src)) Object.assign(to, { src, alt: from.getAttribute("alt") ?? "" });
}

/** @param {Node} from @param {Node} to */
function copy(from, to) {
	for (const child of from.childNodes) {
		if (child instanceof Text) to.appendChild(document.createTextNode(child.data));
		if (!(child instanceof Element) || gone.has(child.localName)) continue;
		if (child instanceof SVGSVGElement) to.appendChild(drawn(new XMLSerializer().serializeToString(child), child.querySelector("title")?.textContent ?? ""));
		else if (!elements.has(child.localName)) copy(child, to);
		else {
			const kept = element(child.localName, {});
			copyAttributes(child, kept);
			copy(child, kept);
			to.appendChild(kept);
		}
	}
}

/** An SVG as an image, in which it runs no scripts and loads nothing. @param {string} text @param {string} alt @returns {HTMLElement} */
export function drawn(text, alt) {
	const named = /<svg[^>]*\sxmlns=/.test(text) ? text : text.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"');
	return element("img", { class: "plot", src: `data:image/svg+xml,${encodeURIComponent(named)}`, alt });
}

/** @param {string} text @returns {HTMLElement} */
export function html(text) {
	// A browser complains of what the page's policy forbids when it is parsed, before it is left out here.
	const quiet = text.replace(/<\/?[a-z][^<>]*/gi, (tag) => tag.replace(/^(<\/?)style\b/i, "$1template").replace(/^<base\b/i, "<meta").replace(/([\s/"'])(on\w+|style)(?=\s*=)/gi, "$1data-$2"));
	const place = element("div", { class: "go-html" });
	copy(new DOMParser().parseFromString(quiet, "text/html").body, place);
	return place;
}

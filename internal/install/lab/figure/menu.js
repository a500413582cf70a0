// The menu of a figure: copy it, save it, print it. Files have the figure as plotting.Figure.Save
// writes it, dark on white whatever the theme, since they end in texts on white. They are made in the page
// from the figure that it shows, so that nothing has to run, and a page works from disk.

const dpi = 288; // of a PNG: three pixels for each of the page

/** @param {string} tag @param {object} [fields] */
function made(tag, fields = {}) {
	return Object.assign(document.createElement(tag), fields);
}

/** The figure as a file of its own. It needs no style, and no page around it. @param {SVGSVGElement} svg @param {number} [scale] gives it a size in pixels, so many for a point */
function written(svg, scale) {
	const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
	copy.setAttribute("font-family", "'DejaVu Sans', Verdana, sans-serif");
	for (const image of copy.querySelectorAll("image")) image.setAttribute("image-rendering", "pixelated");
	const { width, height } = svg.viewBox.baseVal;
	if (scale) for (const [side, points] of /** @type {const} */ ([["width", width], ["height", height]])) copy.setAttribute(side, String(points * scale));
	return new XMLSerializer().serializeToString(copy);
}

/** @param {SVGSVGElement | HTMLImageElement} figure @returns {Promise<Blob>} */
async function painted(figure) {
	if (figure instanceof HTMLImageElement) return (await fetch(figure.src)).blob();
	const image = new Image();
	image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(written(figure, dpi / 72));
	await image.decode();
	const canvas = document.createElement("canvas");
	[canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
	canvas.getContext("2d")?.drawImage(image, 0, 0);
	return new Promise((resolve, reject) => canvas.toBlob((blob) => blob ? resolve(blob) : reject(new Error("the figure is too large for a PNG")), "image/png"));
}

/** @param {string} name @param {Blob} blob */
function save(name, blob) {
	const link = /** @type {HTMLAnchorElement} */ (made("a", { href: URL.createObjectURL(blob), download: name }));
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 60e3);
}

// Browsers print to PDF, with vectors and the fonts that the page has. A library for it would bring a font of its own,
// and plotting's PDF as WebAssembly megabytes that a page from disk may not load.
/** Prints the figure alone, on a sheet of its size. @param {SVGSVGElement} svg @param {string} name of the file that the browser proposes */
function print(svg, name) {
	const { width, height } = svg.viewBox.baseVal;
	const sheet = new CSSStyleSheet(), page = made("div", { className: "marginalia-sheet" }), title = document.title;
	sheet.replaceSync(`
		@page { size: ${width}pt ${height}pt; margin: 0; }
		.marginalia-sheet { display: none; }
		@media print {
			html, body { margin: 0 !important; padding: 0 !important; background: #fff !important; }
			body > :not(.marginalia-sheet) { display: none !important; }
			.marginalia-sheet, .marginalia-sheet svg { display: block; width: ${width}pt; height: ${height - 0.5}pt; } /* rounding must not begin a second sheet */
		}`);
	page.append(svg.cloneNode(true));
	page.firstElementChild?.setAttribute("font-family", "'DejaVu Sans', Verdana, sans-serif");
	document.body.append(page);
	document.adoptedStyleSheets.push(sheet);
	document.title = name;
	addEventListener("afterprint", () => {
		document.title = title;
		document.adoptedStyleSheets = document.adoptedStyleSheets.filter((s) => s !== sheet);
		page.remove();
	}, { once: true });
	globalThis.print();
}

/** What the menu offers for a figure, in order. @param {SVGSVGElement | HTMLImageElement} figure @param {string} name @returns {[string, () => unknown][]} */
function offers(figure, name) {
	/** @type {[string, () => unknown][]} */
	const all = [["Save as PNG", async () => save(name + ".png", await painted(figure))]];
	if (navigator.clipboard?.write) { // only where the page is secure
		all.unshift(["Copy as PNG", () => navigator.clipboard.write([new ClipboardItem({ "image/png": painted(figure) })]).then(() => "Copied")]);
	}
	if (figure instanceof HTMLImageElement) return all;
	all.push(["Save as SVG", () => save(name + ".svg", new Blob([written(figure)], { type: "image/svg+xml" }))], ["Print or save as PDF", () => print(figure, name)]);
	const rows = data(figure);
	if (rows.length > 1) all.push(["Save the data as CSV", () => save(name + ".csv", new Blob([rows.map((r) => r.map(quoted).join(",") + "\r\n").join("")], { type: "text/csv" }))]);
	return all;
}

/** A field of CSV (RFC 4180). @param {string} field */
function quoted(field) {
	return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

/** Opens the menu below its button. @param {HTMLButtonElement} button @param {HTMLElement} said tells what has happened @param {[string, () => unknown][]} list */
function open(button, said, list) {
	const menu = made("div", { className: "marginalia-menu", popover: "auto", role: "menu", ariaLabel: button.ariaLabel });
	const items = list.map(([words, act]) => {
		const item = made("button", { type: "button", role: "menuitem", tabIndex: -1, textContent: words });
		item.addEventListener("click", async () => {
			menu.hidePopover();
			said.textContent = "";
			try {
				said.textContent = String(await act() ?? "");
			} catch (why) {
				said.textContent = String(why);
			}
			setTimeout(() => said.replaceChildren(), 4000);
		});
		return item;
	});
	menu.append(...items);
	menu.addEventListener("keydown", ({ key }) => {
		const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement)), to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[key];
		if (to !== undefined) items.at(to % items.length)?.focus();
		else if (key === "Tab") menu.hidePopover();
	});
	menu.addEventListener("toggle", (event) => {
		button.ariaExpanded = String(/** @type {ToggleEvent} */ (event).newState === "open");
		if (button.ariaExpanded === "false") menu.remove();
	});
	button.after(menu);
	menu.showPopover();
	const at = button.getBoundingClientRect(), { width, height } = menu.getBoundingClientRect();
	Object.assign(menu.style, { left: `${Math.max(0, at.right - width)}px`, top: `${at.bottom + height > innerHeight ? Math.max(0, at.top - height) : at.bottom}px` });
	items[0].focus();
}

/** A page replaces the still in host when somebody comes to it: resolves once it has, or soon. @param {HTMLElement} host */
function settled(host) {
	if (host.dataset.figure === undefined || host.querySelector(".marginalia-figure")) return undefined;
	return new Promise((resolve) => {
		new MutationObserver((_, seen) => resolve(seen.disconnect())).observe(host, { childList: true });
		setTimeout(resolve, 2000);
	});
}

/**
 * Returns the menu of the figure that comes after it in the page. It takes no room.
 * @param {string} name of the files, without their endings
 * @param {string} wide the width of the figure in CSS
 */
export function tools(name, wide) {
	styled();
	const e = made("div", { className: "marginalia-tools" }), said = made("span", { ariaLive: "polite" }), words = "Copy or save the figure";
	const button = /** @type {HTMLButtonElement} */ (made("button", { type: "button", textContent: "⋯", title: words, ariaLabel: words, ariaHasPopup: "menu", ariaExpanded: "false" }));
	e.style.setProperty("--marginalia-wide", wide);
	e.append(button, said);
	e.addEventListener("keydown", (event) => event.key !== "Tab" && event.stopPropagation()); // JupyterLab and reveal.js have uses for keys
	button.addEventListener("click", async () => {
		if (e.parentElement) await settled(e.parentElement);
		const after = e.nextElementSibling, figure = after?.matches("img") ? after : after?.querySelector("svg, img");
		if (figure instanceof SVGSVGElement || figure instanceof HTMLImageElement) open(button, said, offers(figure, name));
	});
	return e;
}

/** Gives a still of a page its menu, before a figure comes in its place. @param {HTMLElement} host */
export function equip(host) {
	const image = host.querySelector("img");
	if (image) host.prepend(tools(host.dataset.figure ?? /([^/]+)\.\w+$/.exec(image.src)?.[1] ?? "figure", `${image.width || 9999}px`));
}

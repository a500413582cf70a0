// The page's own part. Above it stands figure.js of the lab: show and slide replace the still in an
// element by a figure with values under the mouse, and by a slider with its figure.

/** Elements that wait for their figure, by its name. @type {Map<string, HTMLElement[]>} */
const waiting = new Map();

/**
 * Called by the script of a figure. A page that was opened as a file may run scripts beside it, but
 * read no other files.
 * @param {string} name
 * @param {string} packed
 */
globalThis.marginaliaFigure = (name, packed) => {
	for (const host of waiting.get(name) ?? []) {
		("slider" in host.dataset ? slide : show)(host, packed).catch(console.warn);
	}
	waiting.delete(name);
};

/** @param {HTMLElement} host */
function load(host) {
	const { figure: name = "", packed = "" } = host.dataset;
	if (!packed) return;
	delete host.dataset.packed;
	if (waiting.get(name)?.push(host)) return;
	waiting.set(name, [host]);
	const script = document.createElement("script");
	script.src = packed;
	document.head.append(script);
}

// Sliders begin to work when they come near the window, other figures when the mouse is over them.
const near = new IntersectionObserver((entries) => {
	for (const { isIntersecting, target } of entries) {
		if (!isIntersecting) continue;
		near.unobserve(target);
		load(/** @type {HTMLElement} */ (target));
	}
}, { rootMargin: "300px" });

for (const host of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-packed]"))) {
	if ("slider" in host.dataset) near.observe(host);
	else host.addEventListener("pointerenter", () => load(host), { once: true });
}

// Whoever has no mouse scrolls with the keys what is wider than the page, if it can have the focus.
const wide = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".highlight pre, .run-box pre, .table-wrapper, .formula.display, .output pre"));
function reachable() {
	const within = [...wide].map((e) => e.scrollWidth > e.clientWidth);
	wide.forEach((e, i) => e.toggleAttribute("tabindex", within[i]) && (e.tabIndex = 0));
}
addEventListener("resize", reachable);
reachable();

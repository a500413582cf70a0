// The page's own part. Above it stands figure.js of the lab: show and slide replace the still in an
// element by a figure with values under the mouse, and by a slider with its figure.

/** Elements that wait for their figure, by its name. @type {Map<string, HTMLElement[]>} */
const waiting = new Map();

// A figure is a script that calls this: a page that was opened as a file may run scripts beside it, but
// read no other files.
/** @param {string} name @param {string} packed */
globalThis.marginaliaFigure = (name, packed) => {
	for (const host of waiting.get(name) ?? []) {
		if ("slider" in host.dataset) slide(host, packed).then(async (slider) => (await alive)?.(slider)).catch(console.warn);
		else show(host, packed).catch(console.warn);
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

// What moves is a module of its own, and a page that was opened as a file may not load it.
const served = location.protocol !== "file:";
const programs = /** @type {HTMLElement | null} */ (document.querySelector("[data-live]"))?.dataset.live;
/** Has a program draw for a slider, if there is one. @type {Promise<((slider: Slider) => void) | void> | undefined} */
const alive = served && programs ? enliveners(new URL(programs, document.baseURI)).catch(console.warn) : undefined;

/** @param {URL} list */
async function enliveners(list) {
	const { enlivener } = await import(new URL("sliders.js", list).href);
	return enlivener(list.href);
}

const playgrounds = document.querySelectorAll("[data-playground]");
/** Playgrounds whose program cannot be loaded keep no place for what it would show. @param {unknown} [why] */
const still = (why) => {
	for (const host of playgrounds) host.classList.add("still");
	if (why) console.warn(why);
};
if (!served) still();
else if (playgrounds.length) import(new URL("live/play.js", document.baseURI).href).catch(still);

// Sliders begin to work when they come near the window, other figures when the mouse is over them.
const near = new IntersectionObserver((entries) => {
	for (const { isIntersecting, target } of entries) {
		if (!isIntersecting) continue;
		near.unobserve(target);
		load(/** @type {HTMLElement} */ (target));
	}
}, { rootMargin: "300px" });

for (const host of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".figure"))) {
	if ("slider" in host.dataset) near.observe(host);
	else for (const coming of ["pointerenter", "focusin"]) host.addEventListener(coming, () => load(host), { once: true });
	if (!("slider" in host.dataset)) equip(host);
}

// Whoever has no mouse scrolls with the keys what is wider than the page, if it can have the focus.
const sized = new ResizeObserver((entries) => {
	const boxes = entries.map(({ target }) => target.closest("pre") ?? target), wide = boxes.map((box) => box.scrollWidth > box.clientWidth || box === document.activeElement);
	boxes.forEach((box, i) => wide[i] ? box.setAttribute("tabindex", "0") : box.removeAttribute("tabindex"));
});
for (const e of document.querySelectorAll(".highlight pre, .highlight .lines, .run-box pre, .table-wrapper, .formula.display, .formula.long, .figure.wide, .output pre")) sized.observe(e);

// The search, as it is typed: below the field of the sidebar, and in its own page. A hit leads to its section and
// there to the first place that has what was found.


/** @returns {string} the address of the site's folder */
const root = () => document.documentElement.dataset.content_root ?? "./";
/** @type {Promise<{find: (query: string) => Hit[]}> | undefined} */
let finder;

/** Loads what finds, once. */
function findsHits() {
	finder ??= new Promise((resolve, reject) => {
		const script = Object.assign(document.createElement("script"), { src: `${root()}_static/search.js`, onload: () => globalThis.marginaliaFinder.whole?.then(() => resolve(globalThis.marginaliaFinder)), onerror: reject });
		document.head.append(script);
	});
	finder.catch(() => { finder = undefined; }); // the next letter may have more luck
	return finder;
}

/** A pattern of the words that begin with what was found. @param {string[]} terms */
const foundPattern = (terms) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${terms.map((t) => t.replace(/[^\p{L}\p{N}]/gu, "")).filter(Boolean).sort((a, b) => b.length - a.length).join("|")})[\\p{L}\\p{N}]*`, "giu");

/** @param {Hit} hit @param {number} letters */
function excerpt({ text, terms }, letters) {
	const p = document.createElement("span");
	const at = Math.max(0, text.search(foundPattern(terms)));
	const from = at < letters / 2 ? 0 : text.lastIndexOf(" ", at - letters / 3) + 1, space = text.lastIndexOf(" ", from + letters);
	const piece = text.slice(from, text.length <= from + letters || space <= at ? from + letters : space);
	let done = 0;
	if (from > 0) p.append("… ");
	for (const m of piece.matchAll(foundPattern(terms))) {
		const mark = Object.assign(document.createElement("mark"), { textContent: m[0] });
		p.append(piece.slice(done, m.index), mark);
		done = m.index + m[0].length;
	}
	p.append(piece.slice(done), from + piece.length < text.length ? " …" : "");
	return p;
}

/** @param {Hit} hit @param {number} letters of its excerpt */
function hitItem(hit, letters) {
	const li = document.createElement("li"), a = document.createElement("a"), where = document.createElement("small");
	a.href = `${root()}${hit.page}?found=${encodeURIComponent(hit.terms.join(" "))}#${hit.id}`;
	const heading = Object.assign(document.createElement("strong"), { textContent: hit.heading });
	if (hit.heading !== hit.title) where.textContent = hit.title;
	a.append(heading, " ", where, excerpt(hit, letters));
	li.append(a);
	return li;
}

/** Shows what a query finds. @param {HTMLElement} place @param {string} query @param {number} most @param {number} letters */
async function showHits(place, query, most, letters) {
	place.dataset.query = query;
	const said = document.createElement("p");
	said.setAttribute("role", "status");
	if (!query.trim()) {
		place.replaceChildren();
		return;
	}
	let hits = /** @type {Hit[]} */ ([]);
	if (!place.hasChildNodes()) { // what finds is still on its way
		said.textContent = "Searching…";
		place.append(said);
	}
	try {
		hits = (await findsHits()).find(query);
		said.textContent = hits.length === 0 ? `Nothing is found for “${query}”.` : `${hits.length} ${hits.length === 1 ? "section" : "sections"}`;
	} catch {
		said.textContent = "The search cannot be loaded.";
	}
	if (place.dataset.query !== query) return; // there are more letters by now
	const list = document.createElement("ul");
	list.append(...hits.slice(0, most).map((hit) => hitItem(hit, letters)));
	if (hits.length > most && place.id !== "search-results") {
		const li = document.createElement("li");
		li.append(Object.assign(document.createElement("a"), { href: `${root()}search.html?q=${encodeURIComponent(query)}`, textContent: `All ${hits.length} sections` }));
		list.append(li);
	}
	place.replaceChildren(said, ...(hits.length > 0 ? [list] : []));
}

/** @param {HTMLFormElement} form of the sidebar */
function searchAsTyped(form) {
	const input = /** @type {HTMLInputElement} */ (form.elements.namedItem("q")), panel = document.createElement("div");
	panel.className = "found";
	panel.hidden = true;
	form.after(panel);
	const show = async () => {
		const { left, bottom } = input.getBoundingClientRect();
		panel.style.left = `${Math.max(8, left)}px`;
		panel.style.top = `${bottom + 4}px`;
		panel.hidden = !input.value.trim();
		await showHits(panel, input.value, 8, 110);
	};
	const links = () => [...panel.querySelectorAll("a")];
	/** @param {KeyboardEvent} event */
	const keys = (event) => {
		const all = links(), at = all.indexOf(/** @type {HTMLAnchorElement} */ (document.activeElement));
		if (event.key === "Escape" && !panel.hidden) {
			panel.hidden = true;
			input.focus();
		} else if (event.key === "ArrowDown" && !panel.hidden) all[Math.min(at + 1, all.length - 1)]?.focus();
		else if (event.key === "ArrowUp" && at >= 0) (all[at - 1] ?? input).focus();
		else return;
		event.preventDefault();
	};
	input.addEventListener("focus", () => { findsHits().catch(console.warn); if (input.value) void show(); });
	input.addEventListener("input", show);
	for (const e of [input, panel]) e.addEventListener("keydown", keys);
	document.addEventListener("pointerdown", ({ target }) => { if (!form.contains(/** @type {Node} */ (target)) && !panel.contains(/** @type {Node} */ (target))) panel.hidden = true; });
	panel.addEventListener("focusout", ({ relatedTarget }) => { if (relatedTarget && relatedTarget !== input && !panel.contains(/** @type {Node} */ (relatedTarget))) panel.hidden = true; });
}

/** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll(".sidebar-search-container")).forEach(searchAsTyped);

function searchPage() {
	const results = document.getElementById("search-results"), asked = /** @type {HTMLInputElement | null} */ (document.querySelector(".words input"));
	if (!results || !asked) return;
	const look = () => showHits(results, asked.value, 40, 240);
	asked.value = new URLSearchParams(location.search).get("q") ?? "";
	asked.addEventListener("input", () => {
		history.replaceState(null, "", asked.value ? `?q=${encodeURIComponent(asked.value)}` : location.pathname);
		void look();
	});
	void look();
}

searchPage();

/** The parts of a section's text that have what was found; those in what is folded come last. @param {Element} section @param {RegExp} pattern */
function foundIn(section, pattern) {
	const open = /** @type {Range[]} */ ([]), folded = /** @type {Range[]} */ ([]);
	const walk = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
	for (let node = walk.nextNode(); node; node = walk.nextNode()) {
		const within = node.parentElement;
		if (!within || within.closest("script, style, summary, .headerlink, .go-offer, .copy")) continue;
		for (const m of (node.nodeValue ?? "").normalize("NFC").matchAll(pattern)) {
			const range = new Range();
			range.setStart(node, m.index);
			range.setEnd(node, Math.min(m.index + m[0].length, node.nodeValue?.length ?? 0));
			(within.closest("pre, .cell_output, details:not([open])") ? folded : open).push(range);
		}
	}
	return [...open, ...folded];
}

/** Marks what was found in a section, and scrolls to the first: the section stays in view if both fit. @param {Element} section @param {Range[]} found */
function showFound(section, found) {
	const first = /** @type {HTMLElement} */ (found[0].startContainer.parentElement);
	for (let folded = first.closest("details:not([open])"); folded; folded = folded.parentElement?.closest("details:not([open])") ?? null) folded.setAttribute("open", "");
	for (const { startContainer } of found) startContainer.parentElement?.closest(".formula")?.classList.add("found-formula");
	if ("highlights" in CSS) CSS.highlights.set("found", new Highlight(...found));
	const { top } = section.getBoundingClientRect(), { bottom } = found[0].getBoundingClientRect();
	if (bottom - top < .7 * innerHeight) section.scrollIntoView();
	else (first.closest(".formula") ?? first).scrollIntoView({ block: "center" });
}

/** Shows in the section that the address names the first place with what was found. */
function leadToFound() {
	const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
	if (visit?.type !== "navigate") return; // the browser goes to where the reader was
	const terms = new URLSearchParams(location.search).get("found"), heading = document.getElementById(decodeURIComponent(location.hash.slice(1)));
	if (!terms || !heading) return;
	const section = heading.closest("section") ?? heading, found = foundIn(section, foundPattern(terms.split(" ")));
	if (found.length > 0) showFound(section, found);
}

addEventListener("load", leadToFound, { once: true });

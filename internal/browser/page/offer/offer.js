// What a page has of its cells before anybody runs one: their buttons.

/** @param {string} id of a cell */
const cellOf = (id) => document.getElementById(`cell-id=${id}`);

/** @param {string} url of a list @returns {Promise<any>} */
async function listAt(url) {
	const response = await fetch(url);
	if (!response.ok) throw new Error(`${url}: ${response.status}`);
	return response.json();
}

/** @param {string} base the address of the folder with the tools @param {string} list that of the cells' code @param {string} [given] that of the list of files for them @param {string} [folder] of the notebook @returns {Promise<Record<string, (id: string) => unknown>>} what the buttons do */
async function enlivenCells(base, list, given, folder = "/notebooks") {
	const style = document.createElement("link");
	Object.assign(style, { rel: "stylesheet", href: new URL("cells.css", base).href });
	const [{ enliven }, cells, files] = await Promise.all([import(new URL("cells.js", base).href), listAt(list), given ? listAt(given) : [], new Promise((resolve, reject) => {
		Object.assign(style, { onload: resolve, onerror: () => reject(new Error(`${style.href} cannot be loaded`)) });
		document.head.append(style);
	})]);
	return enliven(base, folder, /** @type {{id: string, source: string}[]} */ (cells).map(({ id, source }) => ({ id, source, code: cellOf(id)?.querySelector(".cell_input .highlight-go") ?? undefined,
		offer: cellOf(id)?.querySelector(".go-offer") ?? undefined, stored: [...cellOf(id)?.querySelectorAll(".cell_output") ?? []] })),
		/** @type {{url: string}[]} */ (files).map((file) => ({ ...file, url: new URL(file.url, given).href })));
}

/** What keeps cells from running, "" if nothing. A browser without DecompressionStream may lack module workers, too. */
function lacking() {
	if (location.protocol === "file:") return "this page was opened as a file: they run when it comes from a web server";
	const parts = ["WebAssembly", "Worker", "DecompressionStream", "CompressionStream"].filter((name) => !(name in globalThis));
	return parts.length > 0 ? `this browser has no ${parts.join(", ")}` : "";
}

/** Whether the browser has kept edits of this page: kept.js stores them. */
function hasEdits() {
	try {
		return Object.keys(localStorage).some((key) => key.startsWith(`marginalia-cell ${location.pathname}#`));
	} catch {
		return false; // the browser keeps nothing for this page
	}
}

/** Offers to run and to edit the cells of a notebook; the solutions of exercises are none of it. */
function offerCells() {
	const { go, cells: list, given, folder } = /** @type {HTMLElement | null} */ (document.querySelector("[data-go]"))?.dataset ?? {};
	const places = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("div.cell[id^='cell-id=']:not([id$='-solution']) .cell_input .highlight-go")]);
	const first = places.find((place) => !place.closest("details:not(.code)")) ?? places[0]; // the imports are folded by their author
	if (!go || !list || !first) return;
	const why = lacking();
	if (why) {
		(first.closest("details") ?? first).before(Object.assign(document.createElement("p"), { className: "go-lacking", textContent: `The cells of this page do not run here: ${why}.` }));
		return;
	}
	const whole = (/** @type {string} */ address) => new URL(address, document.baseURI).href;
	/** @type {ReturnType<typeof enlivenCells> | undefined} */
	let enlivened;
	/** @param {string} name @param {string} id @param {HTMLElement} button */
	const does = async (name, id, button) => {
		try {
			const cells = await (enlivened ??= enlivenCells(whole(go), whole(list), given && whole(given), folder));
			await cells[name](id);
		} catch (why) {
			enlivened = undefined; // the next click may have more luck
			button.textContent = "cannot be loaded";
			console.warn(why);
		}
	};
	for (const place of places) {
		const id = /** @type {HTMLElement} */ (place.closest("div.cell")).id.slice("cell-id=".length), offer = document.createElement("div");
		offer.className = "go-offer";
		for (const name of place === first ? ["Run", "Edit", "Run all"] : ["Run", "Edit"]) {
			const button = Object.assign(document.createElement("button"), { type: "button", textContent: name, onclick: () => does(name, id, button) });
			button.dataset.does = name;
			button.setAttribute("aria-label", name === "Run all" ? "Run all cells of the page" : `${name} the cell ${id}`);
			offer.append(button);
		}
		place.append(offer);
	}
	const button = /** @type {HTMLElement} */ (first.querySelector("[data-does=Run]")); // says if nothing can be loaded
	const linked = () => location.hash.startsWith("#cells&") && does("open", "", button);
	if (hasEdits()) void does("open", "", button);
	else void linked();
	addEventListener("hashchange", linked);
}

offerCells();

// What a page has of its cells before anybody runs one: their buttons.

/** @param {string} id of a cell */
const cellOf = (id) => document.getElementById(`cell-id=${id}`);

/** @param {string} base the address of the folder with the tools @param {string} list that of the cells' code @returns {Promise<Map<string, Record<string, HTMLElement>>>} the cells' buttons, by their ids */
async function enlivenCells(base, list) {
	const style = document.createElement("link");
	Object.assign(style, { rel: "stylesheet", href: new URL("cells.css", base).href });
	const [{ enliven }, response] = await Promise.all([import(new URL("cells.js", base).href), fetch(list)]);
	if (!response.ok) throw new Error(`${list}: ${response.status}`);
	const cells = /** @type {{id: string, source: string}[]} */ (await response.json());
	document.head.append(style);
	for (const offer of document.querySelectorAll(".go-offer")) offer.remove();
	return enliven(base, "/notebooks", cells.map(({ id, source }) => ({ id, source,
		code: cellOf(id)?.querySelector(".cell_input .highlight-go") ?? undefined, stored: [...cellOf(id)?.querySelectorAll(".cell_output") ?? []] })));
}

/** Offers to run and to edit the cells of a notebook; the solutions of exercises are none of it. */
function offerCells() {
	const { go, cells } = /** @type {HTMLElement | null} */ (document.querySelector("[data-go]"))?.dataset ?? {};
	if (location.protocol === "file:" || !go || !cells || !("WebAssembly" in globalThis)) return;
	const base = new URL(go, document.baseURI).href, list = new URL(cells, document.baseURI).href;
	/** @type {ReturnType<typeof enlivenCells> | undefined} */
	let enlivened;
	/** @param {string} id @param {string} name @param {HTMLElement} button */
	const click = async (id, name, button) => {
		try {
			const buttons = await (enlivened ??= enlivenCells(base, list));
			buttons.get(id)?.[name].click();
		} catch (why) {
			enlivened = undefined; // the next click may have more luck
			button.textContent = "cannot be loaded";
			console.warn(why);
		}
	};
	for (const cell of document.querySelectorAll("div.cell[id^='cell-id=']:not([id$='-solution'])")) {
		const id = cell.id.slice("cell-id=".length), offer = document.createElement("div");
		offer.className = "go-offer";
		for (const name of ["Run", "Edit"]) {
			const button = document.createElement("button");
			Object.assign(button, { type: "button", textContent: name, ariaLabel: `${name} the cell ${id}`, onclick: () => click(id, name, button) });
			offer.append(button);
		}
		cell.querySelector(".cell_input .highlight-go")?.append(offer);
	}
}

offerCells();

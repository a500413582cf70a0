// The code of cells, which a switch shows or hides, and buttons that copy a block.

const codes = /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details.code"));

/** @param {boolean} open */
function openCode(open) {
	for (const code of codes) code.open = open;
	delete document.body.dataset.code;
}

/** Opens the code of a cell that the address names. */
function openNamed() {
	let id = location.hash.slice(1);
	try { id = decodeURIComponent(id); } catch { /* a % that is one */ }
	const code = id && document.getElementById(id)?.closest("div.cell")?.querySelector("details.code");
	if (code) /** @type {HTMLDetailsElement} */ (code).open = true;
}

function switchCode() {
	const showCode = /** @type {HTMLInputElement | null} */ (document.getElementById("show-code"));
	if (!showCode) return;
	showCode.onchange = () => {
		openCode(showCode.checked);
		try {
			localStorage.setItem("marginalia-code", showCode.checked ? "shown" : "hidden");
		} catch { /* the browser keeps nothing for this page */ }
	};
	if (!showCode.checked) openCode(false);
	openNamed();
	addEventListener("hashchange", openNamed);
}

switchCode();

/** Says what a button did, also to whoever does not see it. */
const copySaid = document.createElement("span");
copySaid.className = "copy-said";
copySaid.setAttribute("role", "status");

/** @param {string} text @param {HTMLElement} block that has the text */
async function copyText(text, block) {
	try {
		await navigator.clipboard.writeText(text);
		return "Copied";
	} catch { // without https, or forbidden
		getSelection()?.selectAllChildren(block);
		return document.execCommand("copy") ? "Copied" : "Selected: Ctrl+C copies";
	}
}

/** @param {HTMLElement} pre */
function copyButton(pre) {
	const button = Object.assign(document.createElement("button"), { type: "button", className: "copy", textContent: "Copy" });
	const output = pre.closest(".cell_output, .go-outputs");
	button.setAttribute("aria-label", output ? "Copy the output" : "Copy the code");
	let end = 0;
	button.onclick = async () => {
		copySaid.textContent = "";
		button.textContent = copySaid.textContent = await copyText((pre.textContent ?? "").replace(/\n$/, ""), pre);
		clearTimeout(end);
		end = setTimeout(() => { button.textContent = "Copy"; }, 2000);
	};
	const place = pre.closest(".highlight-go")?.querySelector(".go-offer");
	if (place) {
		place.append(button);
		return;
	}
	let box = /** @type {HTMLElement} */ (pre.parentElement);
	if (!box.matches(".highlight")) {
		box = document.createElement("div");
		pre.replaceWith(box);
		box.append(pre);
	}
	box.classList.add("copy-box");
	box.append(button);
}

/** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".highlight pre, .cell_output .output pre, .run-box pre")).forEach(copyButton);
document.body.append(copySaid);
globalThis.marginaliaCopy = copyButton;

// Says what the browser lacks.
(() => {
	let lack = "";
	if (location.protocol === "file:") lack = "This page was opened as a file. The assignment works only from a web server: ask your lecturer for its address.";
	else if (typeof WebAssembly !== "object" || !("compileStreaming" in WebAssembly)) lack = "This browser has no WebAssembly, or has it switched off, so that Go can’t run in it. Use a current Firefox, Chrome, Edge or Safari.";
	if (!lack) return;
	const said = /** @type {HTMLElement} */ (document.getElementById("lack")), way = /** @type {HTMLElement} */ (document.getElementById("way"));
	said.textContent = lack;
	said.hidden = false;
	way.hidden = true;
})();

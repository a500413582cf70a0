// A button copies the command before it. execCommand works on pages from disk and from http, too.
document.addEventListener("click", (event) => {
	const button = event.target instanceof Element && event.target.closest("button");
	if (!button || !button.previousElementSibling) return;
	getSelection()?.selectAllChildren(button.previousElementSibling);
	button.textContent = document.execCommand("copy") ? "Copied" : "Press Ctrl+C";
});

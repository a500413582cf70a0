// The ways out of a page: to its sections, and to the lab.

function withoutLab() {
	if (served) return;
	for (const link of document.querySelectorAll(".lab-link")) link.textContent = "The lab opens when the site comes from a web server.";
}

withoutLab();

// The list of a page's sections lies over the page on a phone until it is closed.
function closeList() {
	const open = /** @type {HTMLInputElement | null} */ (document.getElementById("__toc"));
	document.querySelector(".toc-drawer")?.addEventListener("click", ({ target }) => {
		if (open && /** @type {Element} */ (target).closest("a")) open.checked = false;
	});
}

closeList();

"use strict";
// A page that `site --serve` serves loads again when it has been made anew, and says what is wrong with the site's sources.
(() => {
	const page = location.pathname.replace(/^\//, "").replace(/(^|\/)$/, "$1index.html"), notice = document.createElement("p");
	notice.setAttribute("role", "alert");
	Object.assign(notice.style, { position: "fixed", inset: "0 0 auto", zIndex: "100", margin: "0", padding: ".6rem 1rem", maxHeight: "50vh", overflow: "auto", whiteSpace: "pre-wrap", color: "#fff", background: "#b3261e" });
	new EventSource("/_news").onmessage = (event) => {
		const { pages, fault } = JSON.parse(event.data);
		notice.textContent = fault;
		if (fault) document.body.append(notice);
		else notice.remove();
		if (pages?.some((/** @type {string} */ made) => made === page || made === "all pages")) location.reload();
	};
})();

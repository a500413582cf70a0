"use strict";
// A page that `site --serve` serves loads again when it has been made anew, and says what is wrong with the site's sources.
(() => {
	const page = location.pathname.replace(/^\//, "").replace(/(^|\/)$/, "$1index.html"), notice = document.createElement("p");
	notice.setAttribute("role", "alert");
	Object.assign(notice.style, { position: "fixed", inset: "0 0 auto", zIndex: "100", margin: "0", padding: ".6rem 1rem", maxHeight: "50vh", overflow: "auto", whiteSpace: "pre-wrap", color: "#fff", background: "#b3261e" });
	let news = /** @type {EventSource | undefined} */ (undefined), heard = Number(document.currentScript?.dataset.told), returned = false;
	/** @param {MessageEvent<string>} event */
	const hear = (event) => {
		const { pages, fault, told } = JSON.parse(event.data);
		notice.textContent = fault;
		if (fault) document.body.append(notice);
		else notice.remove();
		const missed = returned && heard !== told;
		[heard, returned] = [told, false];
		if (missed || pages?.some((/** @type {string} */ made) => made === page || made === "all pages")) location.reload();
	};
	// A browser has six connections to a server, so that hidden tabs must leave theirs to others.
	const listen = () => {
		news?.close();
		news = document.hidden ? undefined : new EventSource("/_news");
		if (news) news.onmessage = hear;
	};
	listen();
	document.addEventListener("visibilitychange", () => {
		returned = true;
		listen();
	});
})();

// Says what a reader sees of elements, line by line: in one way for JupyterLab and for a page of the site,
// whose elements differ where nothing does that is seen.
(roots) => {
	const blocks = { H1: "#", H2: "#", H3: "#", H4: "#", H5: "#", H6: "#", LI: "-", BLOCKQUOTE: ">", PRE: "code", TH: "head", TD: "cell", HR: "rule", P: "", DIV: "", TR: "", TABLE: "", THEAD: "", TBODY: "", UL: "", OL: "", DL: "", DT: "term", DD: "", CENTER: "", SECTION: "", DETAILS: "details", SUMMARY: "summary", FIGURE: "", VIDEO: "video" };
	const marks = { EM: "em", I: "em", STRONG: "strong", B: "strong", CODE: "code", S: "s", DEL: "s", KBD: "kbd", SUP: "sup", SUB: "sub", U: "u", MARK: "mark" };
	const skipped = ".headerlink, .jp-InternalAnchorLink, .cell-anchor, .run-box, .copy, script, style, .cell, mjx-container > svg";
	const lines = [];
	let line = "", before = "";
	const end = () => {
		const text = line.replace(/\s+/g, " ").trim();
		if (text || /^(rule|cell|head|-)/.test(before)) lines.push(`${before} ${text}`.trim());
		line = before = "";
	};
	const formula = (math) => `⟨${math.textContent.replace(/\s+/g, "")}⟩`;
	const walk = (node) => {
		if (node.nodeType === Node.TEXT_NODE) { line += node.textContent; return; }
		if (node.nodeType !== Node.ELEMENT_NODE || node.matches(skipped)) return;
		if (node.matches("mjx-container, .formula")) {
			const display = node.matches("[display=true], .display");
			if (display) end();
			line += [...node.childNodes].filter((n) => n.nodeType === Node.TEXT_NODE).map((n) => /^[(\[{“‘]/.test(n.textContent) ? n.textContent : "").join("");
			line += formula(node.querySelector("math"));
			line += [...node.childNodes].filter((n) => n.nodeType === Node.TEXT_NODE).map((n) => /^[(\[{“‘]/.test(n.textContent) ? "" : n.textContent).join("");
			if (display) end();
			return;
		}
		const name = node.nodeName;
		if (name === "IMG") { line += ` [picture ${node.alt}${node.naturalWidth > 0 || node.loading === "lazy" ? "" : ", broken"}] `; return; }
		if (name === "INPUT") { line += node.checked ? " [x] " : " [ ] "; return; }
		if (name === "BR") { line += " / "; return; }
		if (name in blocks) {
			if (line.trim() || !node.matches("p:first-child, blockquote > div:first-child")) end(); // the first paragraph is that of its item, or its cell
			before = blocks[name] || before;
			if (name === "PRE") { lines.push(`code ${JSON.stringify(node.textContent.replace(/\n$/, ""))}`); before = ""; return; }
			for (const child of node.childNodes) walk(child);
			end();
			return;
		}
		const mark = name === "A" && node.getAttribute("href") ? "link" : marks[name];
		if (mark) line += `<${mark}>`;
		for (const child of node.childNodes) walk(child);
		if (mark) line += `</${mark}>`;
	};
	for (const root of roots) { walk(root); end(); }
	return lines.join("\n");
}

//go:build browser

package site

import (
	"fmt"
	"strings"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// readLecture runs a cell, breaks it with the keys, reads what is wrong at its line, mends it, and runs a cell below.
// The policy of the page admits all of that, and axe-core finds no fault with the editor and the outputs, in the light
// theme and in the dark one on a phone.
func readLecture(p *goPage) {
	stored := ""
	for _, o := range p.cell("01-perceptron.ipynb", "score").Outputs {
		stored += o.Text
	}
	// What the page says of loading: bytes of bytes, all of them in the end.
	p.evaluate(`(globalThis.progress = [], new MutationObserver((changes) => {
		for (const { target } of changes) if (target.localName === "progress" && target.max > 1) progress.push([target.value, target.max]);
	}).observe(document.querySelector("article"), { subtree: true, attributes: true, attributeFilter: ["value"] }))`)
	p.shows("score", "the output", `out.querySelector("pre")`)
	if got := p.evaluate(inPage("score") + `.querySelector(".go-outputs pre").textContent`); got != stored || stored == "" {
		p.t.Errorf("the cell prints %q, stored is %q", got, stored)
	}
	if got := p.evaluate(`progress.length > 10 && progress.every(([value, max], i) => value <= max && (i === 0 || value >= progress[i - 1][0])) && progress.at(-1)[0] === progress.at(-1)[1]`); got != "true" {
		p.t.Errorf("the progress is %s", p.evaluate(`JSON.stringify(progress)`))
	}
	p.wait("a button that copies the output", inPage("score")+`.querySelector(".go-outputs .copy-box > .copy")?.getAttribute("aria-label") === "Copy the output"`)
	p.wait("no editor yet", `!performance.getEntriesByType("resource").some((e) => e.name.endsWith("/editor.js"))`)
	if moved := p.evaluate(`await (async () => ` + sameLooks + `)()`); moved != "" {
		p.t.Errorf("with the editor, the code of %s", moved)
	}

	p.click("score", "Edit")
	p.wait("the cursor in the editor", inPage("score")+`.querySelector(".cm-content") === document.activeElement`)
	p.keys(kb.End, chromedp.ModifierCtrl)
	p.keys("\r\tfmt.Println(nowhere)")
	p.keys(kb.Enter, chromedp.ModifierShift)
	p.wait("the mark", inPage("score")+`.querySelector(".go-wrong .go-wrong-place")?.textContent === "nowhere"`)
	p.wait("the words", inPage("score")+`.querySelector(".go-wrong-why").textContent === "undefined: nowhere" && `+inPage("score")+`.querySelector(".go-outputs .error")?.textContent.includes("undefined: nowhere")`)
	p.picture("the mark")
	if got := p.evaluate(inPage("score") + `.querySelector(".cm-content").ariaInvalid`); got != "true" {
		p.t.Errorf("the editor with a mark says aria-invalid=%s", got)
	}
	axe := axeCore(p.t)
	for view := range views {
		p.audit(axe, "notebooks/01-perceptron.html", view)
		p.evaluate(inPage("score") + `.scrollIntoView()`)
		p.picture(fmt.Sprint("the editor ", views[view].theme))
	}
	p.keys(kb.Backspace)
	p.wait("no mark after an edit", `!document.querySelector(".go-wrong, .go-wrong-why, [aria-invalid]")`)

	source := p.cell("01-perceptron.ipynb", "score").Source
	mended := strings.Replace(source, "{4, 2}", "{5, 2}", 1)
	p.paste(mended)
	p.keys(kb.Escape)
	p.keys(kb.Tab)
	p.wait("the focus behind the editor", inPage("score")+`.querySelector(".go-bar").contains(document.activeElement)`)
	p.shows("score", "the mended cell's output", `out.textContent.includes("(5, 2)")`)
	p.shows("signed-distance-figure", "the figure", `out.querySelector(".marginalia-figure > svg path")`)
	p.view(p.width, "light")
	p.print("notebooks/01-perceptron.html")
	p.view(p.width, "light")
	keepEdits(p, mended)
}

// sameLooks compares each letter of all short cells in the page and in their editors: where it is, to half a
// pixel, its font and its colour. It returns what differs first, and leaves no editor.
const sameLooks = `{
	const looks = (code) => {
		const walk = document.createTreeWalker(code, NodeFilter.SHOW_TEXT), range = document.createRange(), found = [];
		while (walk.nextNode()) for (let i = 0; i < walk.currentNode.length; i++) {
			const letter = walk.currentNode.data[i];
			if (/\s/.test(letter)) continue;
			range.setStart(walk.currentNode, i);
			range.setEnd(walk.currentNode, i + 1);
			const { x, y, width } = range.getBoundingClientRect(), { color, fontFamily, fontSize } = getComputedStyle(walk.currentNode.parentElement), top = code.getBoundingClientRect();
			found.push({ at: [x - top.x, y - top.y, width], looks: [letter, color, fontFamily, fontSize].join(" ") });
		}
		return found;
	};
	for (const cell of document.querySelectorAll("div.cell:has(.go-offer)")) {
		const code = cell.querySelector(".highlight"), pre = code.querySelector("pre");
		if (code.getBoundingClientRect().height > innerHeight / 2 || !code.checkVisibility()) continue;
		cell.scrollIntoView({ block: "center" });
		for (const lines of pre.querySelectorAll(".lines")) lines.style.contentVisibility = "visible";
		const before = looks(pre), height = code.getBoundingClientRect().height;
		cell.querySelector("[data-does=Edit]").click();
		while (!cell.querySelector(".cm-content")) await new Promise((done) => setTimeout(done, 20));
		await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
		const after = looks(cell.querySelector(".cm-content")), i = before.findIndex(({ at, looks }, i) => looks !== after[i]?.looks || at.some((x, j) => Math.abs(x - after[i].at[j]) > 0.5));
		if (i >= 0 || before.length !== after.length) return cell.id + " has " + JSON.stringify(after[i]) + " where the page has " + JSON.stringify(before[i]);
		if (code.getBoundingClientRect().height !== height) return cell.id + " is " + code.getBoundingClientRect().height + " pixels high, in the page " + height;
		[...cell.querySelectorAll(".go-bar button")].find((b) => b.textContent === "Close").click();
	}
	return "";
}`

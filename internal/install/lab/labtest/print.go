//go:build browser

package labtest

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// A4 is the width of a sheet of A4 in CSS pixels, less the browser's margins of 1 cm.
const A4 = 718

// Cut returns the texts of a page that would not be whole on paper: those that reach beyond the sheet, or
// beyond an element that would scroll on a screen. The sheet has a width in CSS pixels, as [A4].
func Cut(ctx context.Context, t *testing.T, width int64) []string {
	t.Helper()
	if _, err := chromedp.Call(ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: 1000, DeviceScaleFactor: 1,
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}); err != nil {
		t.Fatal(err)
	}
	return Value[[]string](ctx, t, cut)
}

// cut compares the boxes of texts and formulas with those of the elements that clip them. What is not seen
// on a screen either, as the MathML for screen readers, is clipped to nothing.
const cut = `(async () => {
	await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
	const clips = new Map(), found = [], main = document.querySelector("article[role=main]") ?? document.body;
	const edge = (e) => {
		if (!e || e === document.documentElement) return { right: innerWidth, bottom: Infinity };
		if (clips.has(e)) return clips.get(e);
		const style = getComputedStyle(e), of = { ...edge(e.parentElement) };
		if (style.position === "absolute" && e.offsetWidth <= 1 || e.localName === "mjx-assistive-mml") of.unseen = true;
		if (style.overflowX !== "visible" && style.display !== "inline") of.right = Math.min(of.right, e.getBoundingClientRect().right);
		if (style.overflowY !== "visible" && style.display !== "inline") of.bottom = Math.min(of.bottom, e.getBoundingClientRect().bottom);
		clips.set(e, of);
		return of;
	};
	const look = (e, boxes, what) => {
		const of = edge(e);
		if (!of.unseen && e.checkVisibility() && [...boxes].some((b) => b.width > 0 && (b.right > of.right + 1 || b.bottom > of.bottom + 1))) found.push(what.trim().slice(0, 60));
	};
	const walk = document.createTreeWalker(main, NodeFilter.SHOW_TEXT), range = document.createRange();
	while (walk.nextNode()) {
		const e = walk.currentNode.parentElement;
		if (!walk.currentNode.data.trim() || ["SCRIPT", "STYLE"].includes(e.tagName) || e.closest("svg, math")) continue;
		range.selectNodeContents(walk.currentNode);
		look(e, range.getClientRects(), walk.currentNode.data);
	}
	for (const svg of main.querySelectorAll("svg, img")) look(svg.parentElement, [svg.getBoundingClientRect()], svg.localName + " in " + svg.parentElement.className);
	return found;
})()`

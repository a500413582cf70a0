//go:build browser

package site

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
)

// keepEdits has an edit of the cell score survive a reload, sends it as a link, offers it when the lecture's code is
// another, and goes back to the page's code. Nothing of a link is HTML, and none runs by itself.
func keepEdits(p *goPage, mended string) {
	address, _, _ := strings.Cut(p.evaluate(`location.href`), "#")
	p.reload(address)
	p.wait("the kept edit", inPage("score")+`.querySelector(".cm-content") !== null`)
	if got := p.code("score"); got != mended {
		p.t.Errorf("after a reload the editor has %q, want %q", got, mended)
	}
	p.click("score", "Share")
	p.wait("the link", inPage("score")+`.querySelector(".go-said a") !== null`)
	p.picture("the link")
	link := p.evaluate(inPage("score") + `.querySelector(".go-said a").href`)

	// The page's code is another than the one that was edited.
	const record = "`marginalia-cell ${location.pathname}#score`"
	p.evaluate(`localStorage.setItem(` + record + `, localStorage.getItem(` + record + `).replace(/"of":"/, '"of":"// '))`)
	p.reload(address)
	p.wait("the offer", inPage("score")+`.querySelector(".go-note")?.textContent.startsWith("The page’s code has changed since you edited it. An earlier edit is kept.")`)
	p.picture("the changed page")
	if p.evaluate(`document.querySelector(".go-editor")`) != "null" {
		p.t.Error("an edit of other code stands in the place of the page's")
	}
	p.click("score", "Show it")
	p.wait("the edit that was offered", inPage("score")+`.querySelector(".cm-content") !== null`)
	if got := p.code("score"); got != mended {
		p.t.Errorf("offered is %q, want %q", got, mended)
	}
	p.click("score", "Reset")
	p.wait("the page's code", `!document.querySelector(".go-editor") && `+inPage("score")+`.querySelector("pre").checkVisibility() && `+inPage("score")+`.querySelector("[data-does=Edit]") === document.activeElement`)
	p.click("score", "Forget it")
	p.wait("nothing is kept", `Object.keys(localStorage).every((key) => !key.startsWith("marginalia-cell"))`)

	p.reload(link)
	p.wait("the code of the link", `document.querySelector(".go-notice")?.textContent === "The link brought code for score. Nothing of it has run: read it before you run it."`)
	if got := p.code("score"); got != mended {
		p.t.Errorf("the link brings %q, want %q", got, mended)
	}
	p.picture("from the link")
	if ran := p.evaluate(`performance.getEntriesByType("resource").some((e) => e.name.endsWith("/kernel.js")) || document.querySelector(".go-outputs:not(:empty)") !== null`); ran != "false" {
		p.t.Error("the code of a link runs by itself")
	}
	if kept := p.evaluate(`Object.keys(localStorage).filter((key) => key.startsWith("marginalia-cell")).length`); kept != "0" {
		p.t.Errorf("a link that was only opened leaves %s records", kept)
	}
	const attack = "// <img src=x onerror=alert(1)></textarea><script>alert(1)</script>"
	p.click("score", "Edit")
	p.wait("the cursor in the editor", inPage("score")+`.querySelector(".cm-content") === document.activeElement`)
	p.paste(attack)
	p.wait("the reader's own code", `location.hash === "" && !document.querySelector(".go-notice") && !document.querySelector(".go-note:not([hidden])")`)
	p.click("score", "Share")
	p.wait("the link", inPage("score")+`.querySelector(".go-said a") !== null`)
	p.reload(link)
	p.wait("the code of the link before the reader's own", inPage("score")+`.querySelector(".go-note")?.textContent.startsWith("This code came with the link. An earlier edit is kept.")`)
	p.click("score", "Show it")
	p.wait("the reader's own code again", `location.hash === "" && `+inPage("score")+`.querySelector(".go-note").textContent.startsWith("An earlier edit is kept.")`)
	if got := p.code("score"); got != attack {
		p.t.Errorf("of two edits the editor has %q, want %q", got, attack)
	}
	p.click("score", "Share")
	p.wait("the link", inPage("score")+`.querySelector(".go-said a") !== null`)
	link = p.evaluate(inPage("score") + `.querySelector(".go-said a").href`)
	p.evaluate(`localStorage.clear()`)
	p.reload(link)
	p.wait("the code of the link", `document.querySelector(".go-notice") !== null`)
	if got := p.code("score"); got != attack || p.evaluate(`[...document.querySelectorAll("article img[src=x], article script")].filter((e) => !e.matches("script") || e.textContent.includes("alert")).length`) != "0" {
		p.t.Errorf("the link brings %q, want %q as text", got, attack)
	}
	for link, why := range map[string]string{
		link[:len(link)-9]:                     "a part of it is missing or changed",
		strings.Replace(link, "v=1", "v=2", 1): "it is of another version",
		address + "#cells&v":                   "it wants each setting once, as name=value",
		address + "#cells&v=1&code=" + packed(p.t, `{"nowhere": ""}`):                          "this page has none of its cells",
		address + "#cells&v=1&code=" + packed(p.t, `{"score": 1}`):                             "a part of it is missing or changed",
		address + "#cells&v=1&code=" + packed(p.t, strings.Repeat(" ", 2<<20)+`{"score": ""}`): "a part of it is missing or changed", // 2 MB in 3,000 letters
	} {
		p.reload(link)
		p.wait("what is wrong with "+link, `document.querySelector(".go-notice[role=alert]")?.textContent.includes(`+quote(why)+`)`)
		if p.evaluate(`document.querySelector(".go-editor")`) != "null" {
			p.t.Errorf("the broken link %s changes the page", link)
		}
	}
	p.picture("the broken link")
	p.reload(address)
	p.evaluate(`Storage.prototype.setItem = () => { throw new DOMException("", "QuotaExceededError"); }`)
	p.click("score", "Edit")
	p.wait("the cursor in the editor", inPage("score")+`.querySelector(".cm-content") === document.activeElement`)
	p.keys("x")
	p.wait("what is not kept", inPage("score")+`.querySelector(".go-said").textContent.includes("storage for this site is full")`)
}

// packed is what a link carries for a text.
func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := must.Get(flate.NewWriter(&b, flate.BestCompression)).Or(t)
	must.Get(w.Write([]byte(text))).Or(t)
	must.Do(t, w.Close())
	return base64.RawURLEncoding.EncodeToString(b.Bytes())
}

// A page says what keeps its cells from running, in one line, and has no buttons then.
func saysWhatIsMissing(t *testing.T, browser context.Context, address, file string) {
	for opened, want := range map[string]string{
		address: "The cells of this page do not run here: this browser has no WebAssembly, DecompressionStream.",
		file:    "The cells of this page do not run here: this page was opened as a file: they run when it comes from a web server.",
	} {
		ctx := labtest.Window(t, browser)
		p := &goPage{watch(ctx, t, nil), views[0].width}
		must.Get(chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `delete globalThis.WebAssembly; delete globalThis.DecompressionStream`})).Or(t)
		p.open(opened)
		p.wait("what is missing", `document.querySelectorAll(".go-lacking").length === 1 && document.querySelector(".go-lacking").checkVisibility()`)
		if got := p.evaluate(`document.querySelector(".go-lacking").textContent`); got != want {
			t.Errorf("%s says %q, want %q", opened, got, want)
		}
		if got := p.evaluate(`document.querySelectorAll(".go-offer").length`); got != "0" {
			t.Errorf("%s has %s cells with buttons", opened, got)
		}
		if got := p.evaluate(`document.querySelector(".lab-link").textContent`); opened == file && got != "The lab opens when the site comes from a web server." {
			t.Errorf("%s offers the lab: %q", opened, got)
		}
		p.evaluate(`document.querySelector(".go-lacking").scrollIntoView({ block: "center" })`)
		p.picture("what is missing")
		p.audit(axeCore(t), "a page that lacks something", 1)
	}
}

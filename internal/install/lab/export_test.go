//go:build browser

package lab

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"

	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
)

// export saves a notebook from the menu as HTML, sanitized as JupyterLab proposes, and as
// slides, and prints the page to PDF, as the browser's own "Save as PDF" does. Both are
// Go in colours, though JupyterLab has stored what the kernel says of its language, and
// have the figure and the slider. The menu offers nothing that would fail for want of a program.
func (r *room) export(t *testing.T) {
	d := r.open(t, "export.ipynb", append(oneFigure, `%%
plotting.Slide("slope", plotting.Slider{Label: "slope", Max: 1}, func(a float64) plotting.Drawing {
	return plotting.New("", plotting.Line([]float64{0, 1}, []float64{0, a}))
})`)...)
	labtest.Choose(d.ctx, t, "Run", "runmenu:run-all")
	labtest.WaitUntilRun(d.ctx, t, d.path, d.code)
	png := d.saved().Cells[1].Outputs[1].Data["image/png"].(string)
	downloads := t.TempDir()
	must.Get(chromedp.CallBrowser(d.ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: downloads,
	})).Or(t)
	const command = "notebook:export-to-format"
	d.do("opening the menu", labtest.Submenu("File", "Save and Export Notebook As", command))
	offered := strings.Split(d.text(`.lm-Menu-item[data-command="`+command+`"] .lm-Menu-itemLabel`), "\n")
	t.Logf("%q%s", offered, d.picture("menu"))
	settings := EnvironmentOf(t.TempDir()).exporters()
	for label, exporter := range map[string]string{"PDF": "PDFExporter", "LaTeX": "LatexExporter", "ReStructured Text": "RSTExporter", "AsciiDoc": "ASCIIDocExporter",
		"Webpdf": "WebPDFExporter", "Qtpdf": "QtPDFExporter", "Qtpng": "QtPNGExporter", "HTML": "", "Reveal.js Slides": ""} {
		usable := exporter == "" || settings[exporter].(map[string]any)["enabled"].(bool)
		if slices.Contains(offered, label) != usable {
			t.Errorf("the menu offers %q: %s is to be there: %v", offered, label, usable)
		}
	}
	saved := filepath.Join(downloads, "export.html")
	for _, label := range []string{"HTML", "Reveal.js Slides"} {
		file := saved
		if label == "HTML" { // for which the menu is open
			d.do("choosing HTML", labtest.Pick(label))
			d.do("saying yes to what JupyterLab asks then", chromedp.Click(chromedp.CSS(`.jp-Dialog .jp-mod-accept`)))
		} else {
			file = filepath.Join(downloads, "export.slides.html")
			d.do("choosing slides", labtest.Submenu("File", "Save and Export Notebook As", command), labtest.Pick(label))
		}
		page := waitForFile(t, file)
		for _, want := range []string{strings.TrimSpace(png), `alt="A rising line"`, "a line &amp; its figure", ` type="application/vnd.marginalia.figure">`, ` type="application/vnd.marginalia.slider">`} {
			if !strings.Contains(page, want) {
				t.Errorf("%s: no %.60q", label, want)
			}
		}
		checkColours(t, page, d.code)
		if got := strings.Contains(page, "<section"); got != (label != "HTML") {
			t.Errorf("%s: there are slides: %v", label, got)
		}
	}
	d.do("opening the page", chromedp.Navigate("file://"+saved))
	d.wait("the figure and the slider", `document.querySelectorAll('.marginalia-figure > svg').length === 2 && document.querySelector('.marginalia-slider ~ .marginalia-figure > svg')`)
	t.Log(d.picture("page"))
	pdf := must.Get(chromedp.Run(d.ctx, chromedp.PrintToPDF(chromedp.PDFPrintBackground()))).Or(t)
	pages, images := len(pdfPage.FindAll(pdf, -1)), len(pdfImage.FindAll(pdf, -1))
	if !bytes.HasPrefix(pdf, []byte("%PDF-")) || pages != 2 || images != 0 {
		t.Errorf("the PDF of %d bytes begins with %.8q and has %d pages and %d images, want two pages and none, since figures are drawn as SVG", len(pdf), pdf, pages, images)
	}
}

// Objects of a PDF: pages, and images less their masks of opacity.
var (
	pdfPage  = regexp.MustCompile(`/Type\s*/Page\b`)
	pdfImage = regexp.MustCompile(`/Subtype\s*/Image\b`)
)

// waitForFile waits until a download is complete, which then has its name, and reads it.
func waitForFile(t *testing.T, path string) string {
	t.Helper()
	for deadline := time.Now().Add(labtest.Patience); ; time.Sleep(100 * time.Millisecond) {
		b, err := os.ReadFile(path)
		if err == nil {
			return string(b)
		}
		if time.Now().After(deadline) {
			there, _ := os.ReadDir(filepath.Dir(path))
			t.Fatalf("%v; there are %v", err, there)
		}
	}
}

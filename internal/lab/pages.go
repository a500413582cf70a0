package lab

import (
	_ "embed"
	"os/exec"
	"path/filepath"
)

// Pages made of notebooks. nbconvert's template lab leaves out the text alternative
// that [marginalia/plotting.Show] puts into a figure's metadata, though its templates
// classic and basic write it, so there is one of our own on top of it.
const pageTemplate = "marginalia"

//go:embed template/index.html.j2
var pageIndex string

var pageExport = map[string]any{"template_name": pageTemplate}

// exporters are the settings of "Save and Export Notebook As" in JupyterLab, which looks
// among those of the server. Its menu offers all that nbconvert knows; what needs a
// program or package that is not here would answer with an error, so it is left out: PDF
// by way of LaTeX, for one. The way to PDF is HTML, opened and printed by the browser;
// JupyterLab's own Print leaves formulas as they were typed (its issue 11228).
func exporters() map[string]any {
	settings := map[string]any{"HTMLExporter": pageExport}
	for exporter, programs := range map[string][]string{
		"ASCIIDocExporter": {"pandoc"},
		"LatexExporter":    {"pandoc"},
		"RSTExporter":      {"pandoc"},
		"PDFExporter":      {"pandoc", "xelatex"},
	} {
		there := true
		for _, program := range programs {
			_, err := exec.LookPath(program)
			there = there && err == nil
		}
		settings[exporter] = map[string]any{"enabled": there}
	}
	for _, exporter := range []string{"WebPDFExporter", "QtPDFExporter", "QtPNGExporter"} { // Playwright and Qt are not among the pinned packages
		settings[exporter] = map[string]any{"enabled": false}
	}
	return settings
}

// pages puts the template into the environment and makes it the one that is used.
func (v venv) pages() error {
	dir := filepath.Join(v.dir, "share", "jupyter", "nbconvert", "templates", pageTemplate)
	return write(map[string]any{
		filepath.Join(dir, "index.html.j2"):                                     pageIndex,
		filepath.Join(dir, "conf.json"):                                         map[string]any{"base_template": "lab", "mimetypes": map[string]bool{"text/html": true}},
		filepath.Join(v.dir, "etc", "jupyter", "jupyter_nbconvert_config.json"): map[string]any{"HTMLExporter": pageExport},
	})
}

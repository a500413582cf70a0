package lab

import (
	"embed"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"marginalia/internal/cell/display"
)

// Pages and slides made of notebooks. nbconvert's templates leave out the text
// alternative that [marginalia/plotting.Show] puts into a figure's metadata, take a
// notebook whose kernel names no lexer for Python, fetch MathJax and reveal.js from the
// network, and show figures without values and sliders. Two templates of our own, one
// folder each, extend them.
//
//go:embed template
var templates embed.FS

//go:embed marginalia_pages.py
var pictures string

// templates are the settings that make nbconvert's exporters use ours. What is set for
// HTMLExporter holds for all that inherit from it, SlidesExporter among them: one file, with its pictures.
func (e Environment) templates() map[string]any {
	return map[string]any{
		"HTMLExporter": map[string]any{"template_name": "marginalia", "extra_template_paths": e.carried(),
			"preprocessors": []string{"marginalia_pages.Attachments"},
			"filters":       map[string]string{"embedded": "marginalia_pages.embedded", "clean_html": "marginalia_pages.clean_html"}},
		"SlidesExporter": map[string]any{"template_name": "marginalia-slides"},
		// nbconvert's default, and the figures that figure.js draws. It admits no script.
		"SanitizeHTML": map[string]any{"safe_output_keys": []string{
			"metadata", "text/plain", "text/latex", "application/json", "image/png", "image/jpeg", display.FigureType, display.SliderType}},
	}
}

// exporters are the settings of "Save and Export Notebook As" in JupyterLab, which looks
// among those of the server. Its menu offers all that nbconvert knows; what needs a
// program or package that is not here would answer with an error, so it is left out: PDF
// by way of LaTeX, for one. The way to PDF is HTML, opened and printed by the browser;
// JupyterLab's own Print leaves formulas as they were typed (its issue 11228).
func (e Environment) exporters() map[string]any {
	settings := e.templates()
	for exporter, programs := range map[string][]string{
		"ASCIIDocExporter": {"pandoc"},
		"LatexExporter":    {"pandoc"},
		"RSTExporter":      {"pandoc"},
		"PDFExporter":      {"pandoc", "xelatex"},
	} {
		missing := slices.ContainsFunc(programs, func(program string) bool {
			_, err := exec.LookPath(program)
			return err != nil
		})
		settings[exporter] = map[string]any{"enabled": !missing}
	}
	for _, exporter := range []string{"WebPDFExporter", "QtPDFExporter", "QtPNGExporter"} { // Playwright and Qt are not among the pinned packages
		settings[exporter] = map[string]any{"enabled": false}
	}
	return settings
}

// carried are the folders of packages with the JavaScript that pages carry, so that they
// fetch none: see pages.in for versions and licences.
func (e Environment) carried() []string {
	return append(e.packages("sphinx-mathjax-offline/static/mathjax"), e.packages("sphinx_revealjs/_static/revealjs")...)
}

// packages are the folders of the environment's Python packages, or one in them.
func (e Environment) packages(folder string) []string {
	found, _ := filepath.Glob(filepath.Join(e.Dir, "lib", "python3*", "site-packages", folder)) // the pattern is well-formed
	return found
}

// pages puts the templates and what they call into the environment and makes them those that are used.
func (e Environment) pages() error {
	dir := filepath.Join(e.Dir, "share", "jupyter", "nbconvert")
	files := map[string]any{filepath.Join(e.Dir, "etc", "jupyter", "jupyter_nbconvert_config.json"): e.templates()}
	for _, packages := range e.packages("") {
		files[filepath.Join(packages, "marginalia_pages.py")] = pictures
	}
	if err := fs.WalkDir(templates, "template", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := templates.ReadFile(path)
		files[filepath.Join(dir, strings.Replace(path, "template", "templates", 1))] = string(text)
		return err
	}); err != nil {
		return err
	}
	files[filepath.Join(dir, "templates", "marginalia", "figure.js")] = FigureScript()
	return write(files)
}

package lab

import (
	"os"
	"path/filepath"
	"testing"
)

// What nbconvert's exporters need (nbconvert, "Installation", 2024): pandoc for LaTeX,
// reStructuredText and AsciiDoc, and XeLaTeX as well for PDF.
func TestExporters(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	for _, step := range []struct {
		installed string
		offered   []string
	}{
		{"", nil},
		{"xelatex", nil},
		{"pandoc", []string{"LatexExporter", "RSTExporter", "ASCIIDocExporter", "PDFExporter"}},
	} {
		if step.installed != "" {
			if err := os.WriteFile(filepath.Join(dir, step.installed), []byte("#!/bin/sh\n"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		want := map[string]bool{}
		for _, name := range step.offered {
			want[name] = true
		}
		settings := EnvironmentOf(t.TempDir()).exporters()
		if html, _ := settings["HTMLExporter"].(map[string]any); html["template_name"] != "marginalia" || html["filters"] == nil {
			t.Errorf("HTML pages are made with %v, want our template, and pictures in the file", html)
		}
		if settings["SlidesExporter"] == nil {
			t.Error("slides have the template of pages")
		}
		delete(settings, "HTMLExporter")
		delete(settings, "SlidesExporter")
		delete(settings, "SanitizeHTML")
		for name, set := range settings {
			if got := set.(map[string]any)["enabled"].(bool); got != want[name] {
				t.Errorf("with %s installed last, %s is offered: %v", step.installed, name, got)
			}
		}
	}
}

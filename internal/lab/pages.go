package lab

import (
	_ "embed"
	"path/filepath"
)

// Pages made of notebooks. nbconvert's template lab leaves out the text alternative
// that [marginalia/plotting.Show] puts into a figure's metadata, though its templates
// classic and basic write it, so there is one of our own on top of it.
const pageTemplate = "marginalia"

//go:embed template/index.html.j2
var pageIndex string

// pageExport is for nbconvert on the command line, and for "Save and Export Notebook As"
// in JupyterLab, which looks among the settings of the server.
var pageExport = map[string]any{"template_name": pageTemplate}

// pages puts the template into the environment and makes it the one that is used.
func (v venv) pages() error {
	dir := filepath.Join(v.dir, "share", "jupyter", "nbconvert", "templates", pageTemplate)
	return write(map[string]any{
		filepath.Join(dir, "index.html.j2"):                                     pageIndex,
		filepath.Join(dir, "conf.json"):                                         map[string]any{"base_template": "lab", "mimetypes": map[string]bool{"text/html": true}},
		filepath.Join(v.dir, "etc", "jupyter", "jupyter_nbconvert_config.json"): map[string]any{"HTMLExporter": pageExport},
	})
}

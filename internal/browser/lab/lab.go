// Package lab makes a JupyterLab that runs in the browser alone: JupyterLite, with the kernel of
// internal/browser as its kernel, and files to begin with.
//
//	files, err := lab.Files(lab.Options{Archive: archive, Contents: contents})
//
// The folder with the files lies beside the folder go of package page and package toolchain. JupyterLite keeps what a
// reader changes in the browser.
package lab

import (
	"crypto/sha256"
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	gopage "marginalia/internal/browser/page"
)

// Files of JupyterLite.
const (
	page   = "lab/index.html"    // of the lab
	config = "jupyter-lite.json" // the settings
	icon   = "icon-120x120.png"  // JupyterLite's other icon has 300 kB
)

//go:embed extension/*.js
var extension embed.FS

// Options are what the lab is made of.
type Options struct {
	Archive  string            // the app of JupyterLite, as its package jupyterlite-core has it
	Contents map[string][]byte // the files that a reader finds, by their slashed paths
	Figures  Extension         // shows figures
	More     []Extension       // further ones
	Given    []gopage.Given    // files that cells may read besides, with addresses seen from the folder go
	Connect  string            // an address elsewhere to which the page may send; "": there is none
}

// An Extension of JupyterLab is its files, by their slashed paths: package.json, what that names, and with schema.json
// the schema of the settings of its plugin NAME:plugin.
type Extension map[string]string

// Files returns the files of the lab, by their slashed paths. The same options give the same files.
func Files(o Options) (map[string][]byte, error) {
	files, err := unpack(o.Archive)
	if err != nil {
		return nil, err
	}
	kernel, err := kernelExtension(o.Given)
	if err != nil {
		return nil, err
	}
	var loaded []map[string]any
	schemas := []map[string]any{}
	for _, e := range append([]Extension{o.Figures, kernel}, o.More...) {
		entry, err := e.entry()
		if err != nil {
			return nil, err
		}
		loaded = append(loaded, entry)
		if schema, ok := e["schema.json"]; ok {
			schemas = append(schemas, map[string]any{"id": entry["name"].(string) + ":plugin", "schema": json.RawMessage(schema), "raw": "{}", "settings": map[string]any{}, "version": "1"})
		}
		for name, text := range e {
			files[path.Join("extensions", entry["name"].(string), name)] = []byte(text)
		}
	}
	if files[config], err = settings(files[config], loaded); err != nil {
		return nil, err
	}
	if files[page], err = guarded(files[page], o.Connect); err != nil {
		return nil, err
	}
	contents := maps.Clone(o.Contents)
	for name, data := range contents {
		if path.Ext(name) == ".ipynb" {
			if contents[name], err = joined(data); err != nil {
				return nil, err
			}
		}
		files["files/"+name] = contents[name]
	}
	maps.Copy(files, listings(contents))
	for name, text := range answers {
		files[name] = []byte(text)
	}
	if files["build/schemas/all_federated.json"], err = json.Marshal(schemas); err != nil {
		return nil, fmt.Errorf("lab: the schemas of extensions: %w", err)
	}
	return files, nil
}

// Link is the address that opens a notebook, from the folder of the lab. Each has a workspace of its own: JupyterLab opens
// all of a workspace's notebooks again, and windows that share one overwrite each other's.
func Link(notebook string) string {
	return page + "?" + url.Values{"workspace": {strings.TrimSuffix(notebook, ".ipynb")}, "path": {notebook}}.Encode()
}

// kernelExtension is the extension with the kernel.
func kernelExtension(given []gopage.Given) (Extension, error) {
	list, err := json.Marshal(append([]gopage.Given{}, given...))
	if err != nil {
		return nil, fmt.Errorf("lab: %w", err)
	}
	e, sum := Extension{"static/given.js": "export default " + string(list) + ";\n"}, sha256.New()
	for _, name := range []string{"files.js", "kernel.js", "remoteEntry.js"} {
		text, err := extension.ReadFile("extension/" + name)
		if err != nil {
			return nil, err
		}
		e["static/"+name] = string(text)
	}
	for _, name := range sorted(e) {
		sum.Write([]byte(e[name]))
	}
	e["package.json"] = fmt.Sprintf(`{"name": "marginalia-kernel", "jupyterlab": {"_build": {"load": "static/remoteEntry.js?v=%.4x", "extension": "./extension"}}}`+"\n", sum.Sum(nil))
	return e, nil
}

// entry is what JupyterLite's settings say of an extension.
func (e Extension) entry() (map[string]any, error) {
	var p struct {
		Name       string
		JupyterLab struct {
			Build map[string]any `json:"_build"`
		}
	}
	if err := json.Unmarshal([]byte(e["package.json"]), &p); err != nil {
		return nil, fmt.Errorf("lab: package.json of an extension: %w", err)
	}
	if p.Name == "" || p.JupyterLab.Build["load"] == nil {
		return nil, fmt.Errorf("lab: package.json of the extension %q names no script to load", p.Name)
	}
	p.JupyterLab.Build["name"] = p.Name
	return p.JupyterLab.Build, nil
}

// settings adds ours to JupyterLite's.
func settings(text []byte, extensions []map[string]any) ([]byte, error) {
	var all map[string]any
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("lab: %s: %w", config, err)
	}
	own, ok := all["jupyter-config-data"].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("lab: %s has no jupyter-config-data", config)
	}
	maps.Copy(own, map[string]any{
		"appName":              "marginalia",
		"faviconUrl":           "./" + icon,
		"defaultKernelName":    "gonb",
		"contentsAllJsonFile":  listing,
		"federated_extensions": extensions,
		// Only kernels that read files by themselves need a service worker, and one that keeps files would
		// show those of an older site.
		// Outputs run no scripts.
		"disabledExtensions": []string{"@jupyterlite/application-extension:service-worker-manager", "@jupyterlab/javascript-extension"},
		"settingsOverrides": map[string]any{
			"@jupyterlab/completer-extension:manager":   map[string]any{"providerTimeout": 30_000},       // milliseconds; the first has to load its program
			"@jupyterlab/filebrowser-extension:browser": map[string]any{"showLastModifiedColumn": false}, // files of a site have no time
		},
	})
	return json.MarshalIndent(all, "", "  ")
}

// answers are what a server of Jupyter would say to the page.
var answers = map[string]string{
	"api/translations/all.json": `{"data": {"en": {"displayName": "English", "nativeName": "English"}}, "message": ""}` + "\n",
	"api/translations/en.json":  `{"data": {}, "message": ""}` + "\n",
}

// sorted are the keys of a map in their order.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

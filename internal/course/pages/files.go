package pages

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"marginalia/internal/browser/lab"
	gopage "marginalia/internal/browser/page"
	"marginalia/internal/course"
	"marginalia/internal/course/release"
	installed "marginalia/internal/install/lab"
)

// files are the files of the pages without the folder go, by their slashed paths. archive is the app of JupyterLite.
func files(c *course.Course, a *release.Handout, archive string) (map[string][]byte, error) {
	contents, err := a.Contents()
	if err != nil {
		return nil, err
	}
	settings := c.Settings(a.Name)
	own, err := handIn(handInSettings{settings.HandIn, a.Name, slices.Sorted(maps.Keys(contents))})
	if err != nil {
		return nil, err
	}
	inLab, err := lab.Files(lab.Options{Archive: archive, Contents: contents, Figures: installed.Extension(), More: []lab.Extension{own}, Connect: settings.HandIn})
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{
		mark:         []byte(owner(c, a.Name)),
		"offline.js": gopage.Offline,
		".nojekyll":  nil, // without it, GitHub Pages leaves out files whose names begin with _
	}
	for name, data := range inLab {
		files["lab/"+name] = data
	}
	files["index.html"], err = index(a, settings)
	return files, err
}

//go:embed extension/*.js
var scripts embed.FS

// schema puts the button into the toolbar of notebooks, before the others, and the same into the menu File: on a phone
// JupyterLab may hide the whole toolbar behind three dots.
const schema = `{"title": "Hand in", "type": "object", "additionalProperties": false,
	"jupyter.lab.toolbars": {"Notebook": [{"name": "hand-in", "command": "marginalia:hand-in", "label": "Hand in", "rank": 1}]},
	"jupyter.lab.menus": {"main": [{"id": "jp-mainmenu-file", "items": [{"command": "marginalia:hand-in", "rank": 0}]}]}}`

// handInSettings are what the extension knows of the assignment.
type handInSettings struct {
	Address    string   `json:"address"` // "": students download their notebooks
	Assignment string   `json:"assignment"`
	Files      []string `json:"files"` // of the release
}

// handIn is the extension with the button to hand in.
func handIn(s handInSettings) (lab.Extension, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	e := lab.Extension{"static/settings.js": "export default " + string(text) + ";\n", "schema.json": schema}
	entries, err := scripts.ReadDir("extension")
	if err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	for _, entry := range entries {
		script, err := scripts.ReadFile(path.Join("extension", entry.Name()))
		if err != nil {
			return nil, fmt.Errorf("pages: %w", err)
		}
		e["static/"+entry.Name()] = string(script)
	}
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(e)) {
		sum.Write([]byte(e[name]))
	}
	e["package.json"] = fmt.Sprintf(`{"name": "marginalia-assignment", "jupyterlab": {"_build": {"load": "static/remoteEntry.js?v=%.4x", "extension": "./extension"}}}`+"\n", sum.Sum(nil))
	return e, nil
}

//go:embed index.html
var page string

//go:embed index.css
var style string

//go:embed index.js
var script string

var indexPage = template.Must(template.New("index").Parse(page))

// index is the page that leads to the notebooks.
func index(a *release.Handout, settings course.Settings) ([]byte, error) {
	type link struct{ Name, Address string }
	data := struct {
		Title, Due, Machine string
		HandIn              string
		First               link
		Others              []link
		Style               template.CSS
		Script              template.JS
		Policy              string
	}{Title: title(a), HandIn: host(settings.HandIn), Style: template.CSS(style), Script: template.JS(script)}
	if !settings.Due.IsZero() {
		due := settings.Due.In(settings.Zone)
		data.Due, data.Machine = due.Format("Monday, 2 January 2006, 15:04 ")+"("+settings.Zone.String()+")", due.Format("2006-01-02T15:04:05Z07:00")
	}
	for _, nb := range a.Notebooks {
		name := nb.Name + ".ipynb"
		data.Others = append(data.Others, link{name, "lab/lab/index.html?path=" + strings.ReplaceAll(url.QueryEscape(name), "+", "%20")})
	}
	data.First, data.Others = data.Others[0], data.Others[1:]
	data.Policy = fmt.Sprintf("default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; script-src %s; style-src %s", hash(script), hash(style))
	var b bytes.Buffer
	if err := indexPage.Execute(&b, data); err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	return b.Bytes(), nil
}

// hash is that of a script or a style in a page, as a policy names it.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// host is that of an address.
func host(address string) string {
	at, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return at.Host
}

// title is the first heading of an assignment, or its name.
func title(a *release.Handout) string {
	for _, c := range a.Notebooks[0].Release.Cells {
		if c.Type != "markdown" {
			continue
		}
		for line := range strings.Lines(c.Source) {
			if heading, ok := strings.CutPrefix(line, "# "); ok {
				return cmp.Or(strings.TrimSpace(heading), a.Name)
			}
		}
	}
	return a.Name
}

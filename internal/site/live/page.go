package live

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
)

// Policy is the Content-Security-Policy under which the living parts work. A figure's fields are
// PNG pictures within it.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; " +
	"img-src 'self' data:; style-src 'self'; base-uri 'none'; form-action 'none'"

// Fragment returns a playground for a page: its still, which play.js replaces. base is the address
// of the folder of the living parts, seen from the page, such as "../live/". Fragment returns "" if
// there is no such playground.
func (all Playgrounds) Fragment(id, base string) string {
	for _, p := range all {
		if p.ID == id {
			return p.fragment(base)
		}
	}
	return ""
}

func (p Playground) fragment(base string) string {
	var b bytes.Buffer
	err := fragment.Execute(&b, map[string]any{"P": p, "Base": base})
	if err != nil {
		panic("site: " + err.Error()) // the template fits its data
	}
	return b.String()
}

var fragment = template.Must(template.New("").Parse(`<div class="playground" data-playground="{{.P.ID}}">
<p>{{.P.About}}</p>
<img src="{{.Base}}{{.P.ID}}.svg" alt="{{.P.Alt}}" width="{{.P.Width}}" height="{{.P.Height}}" loading="lazy">
<details><summary>Pointer and keys</summary>
<p>Drag a point to move it. Press on an empty place to add one. Press a point with Shift to remove it.
In the figure, the arrow keys move the selected point (with Shift, further), Page Down and Page Up select the next point and the one before,
Enter adds a point, Space changes the class, Delete removes the point. Ctrl+Z undoes, Ctrl+Shift+Z does it again.</p></details>
</div>
`))

// Script returns the element that loads a script of the living parts.
func Script(src string) string {
	return fmt.Sprintf(`<script type="module" src="%s"></script>`, html.EscapeString(src))
}

// Sliders returns what stands at the end of a lecture's page. name is that of the notebook, without
// .ipynb; base is as for Fragment.
func Sliders(name, base string) string {
	return fmt.Sprintf(`<div hidden data-live="%s"></div>%s`, html.EscapeString(base+name+".json"), Script(base+"sliders.js"))
}

// index returns the page of all playgrounds.
func (all Playgrounds) index() []byte {
	var b bytes.Buffer
	var parts []map[string]any
	for _, p := range all {
		parts = append(parts, map[string]any{"Title": p.Title, "ID": p.ID, "Fragment": template.HTML(p.fragment(""))})
	}
	if err := indexPage.Execute(&b, map[string]any{"Policy": Policy, "Parts": parts}); err != nil {
		panic("site: " + err.Error()) // the template fits its data
	}
	return b.Bytes()
}

var indexPage = template.Must(template.New("").Parse(`<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{{.Policy}}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Playgrounds for linear classifiers, margins and kernels: move the points and watch the boundary.">
<title>Playgrounds</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="play.css">
<body class="playground-page">
<main>
<h1>Playgrounds</h1>
<p>Move the points, change the settings, and watch what the algorithm makes of them. The programs are those of the lectures.</p>
{{range .Parts}}<section>
<h2>{{.Title}}</h2>
{{.Fragment}}</section>
{{end}}</main>
<script type="module" src="play.js"></script>
`))

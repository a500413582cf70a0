package live

import (
	"bytes"
	"html/template"
)

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

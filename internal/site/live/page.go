package live

import (
	"bytes"
	"html/template"
)

// Fragment returns a playground for a page: its still, and the controls that play.js brings to life. base is the address
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

// The controls stand in the page before the program starts, unseen, so that nothing moves when it does:
// their heights depend on the window and its fonts, and links lead to playgrounds further down.
var fragment = template.Must(template.New("").Parse(`<div class="playground" data-playground="{{.P.ID}}">
<p>{{.P.About}}</p>
{{with .P.First}}<label class="playground-preset">Data <select>{{range .Presets}}<option value="{{index . 0}}">{{index . 1}}</option>{{end}}</select></label>
<div class="playground-settings">
{{range .Knobs}}<label class="playground-knob"><span>{{.Label}}</span>{{if .Choices}}<select name="{{.Name}}">{{range $k, $text := .Choices}}<option value="{{$k}}">{{$text}}</option>{{end}}</select><output></output>{{else}}<input type="range" name="{{.Name}}" min="{{.Min}}" max="{{.Max}}" step="{{.Step}}" value="{{.Value}}"><output>{{.Text}}</output>{{end}}</label>{{if .Steps}}<span class="marginalia-player"></span>{{end}}
{{end}}</div>
{{end}}<div class="marginalia-figure"><picture><source media="(max-width: 46em)" srcset="{{.Base}}{{.P.ID}}-narrow.svg" width="{{.P.Narrow.Width}}" height="{{.P.Narrow.Height}}">
<img src="{{.Base}}{{.P.ID}}.svg" alt="{{.P.Wide.Alt}}" width="{{.P.Wide.Width}}" height="{{.P.Wide.Height}}" loading="lazy"></picture></div>
{{with .P.First}}<div class="playground-buttons"><button type="button" name="undo">Undo</button> <button type="button" name="redo">Redo</button> <button type="button" name="add">Add a point</button> <button type="button" name="remove">Remove</button>{{if .Class}} <button type="button" name="class">Class: {{.Class}}</button>{{end}} <a>Link to this state</a></div>
<p class="playground-note">{{.Note}}</p>
<dl class="playground-numbers">{{range .Numbers}}<div><dt>{{index . 0}}</dt><dd>{{index . 1}}</dd></div>{{end}}</dl>
{{end}}<p class="playground-said" role="status"></p>
<details><summary>Pointer and keys</summary>
<p>Drag a point to move it. Press on an empty place to add one. Press a point with Shift to remove it.
In the figure, the arrow keys move the selected point (with Shift, further), Page Down and Page Up select the next point and the one before,
Enter adds a point, Space changes the class, Delete removes the point. Ctrl+Z undoes, Ctrl+Shift+Z does it again.</p></details>
</div>
`))

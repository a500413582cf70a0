package nbformat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// Mend reads a notebook that somebody worked in, as far as it can be read, which is further than [Decode] and Python's
// nbformat go. Flaws that change no answer cost nothing: two cells with one id (the second gets another), half a
// surrogate pair, NaN, UTF-16, a metadata that is no object, outputs that are malformed or have many megabytes, text behind the notebook, format 3.
// What it returns is valid by the schema, and [Notebook.Encode] has no error for it. notes say what was lost. The error is an *Unreadable.
//
// Sources: nbformat 5.10, validator.normalize and v4.convert.upgrade; nbformat.v4.5.schema.json (Jupyter Development Team).
func Mend(data []byte) (nb *Notebook, notes []string, err error) {
	if bad := otherType(data); bad != nil {
		return nil, nil, bad
	}
	text, lost := textOf(data)
	if lost {
		notes = append(notes, "the file is not UTF-8: characters that could not be read were replaced")
	}
	p := &looseJSON{data: text}
	v := p.value("")
	top, ok := v.(map[string]any)
	switch {
	case p.err != nil:
		return nil, nil, p.err
	case !ok:
		return nil, nil, &Unreadable{NotValid, "want a JSON object at the top: this JSON is not a notebook"}
	}
	if rest := bytes.Trim(text[p.at:], " \t\r\n\x00"); len(rest) > 0 {
		notes = append(notes, "text follows the end of the notebook in the file: it is left out")
	}
	if p.left > 0 {
		notes = append(notes, fmt.Sprintf("outputs of %d MB in all are left out: they are too large to keep", (p.left+1<<19)>>20))
	}
	m := &mender{nb: &Notebook{Metadata: objectOf(top["metadata"])}, at: map[string]bool{}}
	if err := m.all(top); err != nil {
		return nil, nil, err
	}
	if m.dropped > 0 {
		notes = append(notes, fmt.Sprintf("%d outputs have no form that Jupyter knows: they are left out", m.dropped))
	}
	return m.nb, notes, nil
}

// MendFile reads a file as [Mend] does.
func MendFile(name string) (nb *Notebook, notes []string, err error) {
	info, err := os.Stat(name)
	if err == nil {
		err = Readable(info)
	}
	if err != nil {
		return nil, nil, err
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, nil, err
	}
	return Mend(data)
}

// Readable returns an *Unreadable if a file is none or too large to be read with [Mend].
func Readable(info fs.FileInfo) error {
	switch {
	case !info.Mode().IsRegular():
		return &Unreadable{OtherType, "it is no file"}
	case info.Size() > maxRead:
		return &Unreadable{TooLarge, fmt.Sprintf("it has more than %d MB: clear the outputs of its cells and save it again", maxRead>>20)}
	}
	return nil
}

// A mender makes a notebook of JSON.
type mender struct {
	nb      *Notebook
	at      map[string]bool // ids that are taken
	dropped int             // outputs
}

func (m *mender) all(top map[string]any) error {
	cells, ok := top["cells"].([]any)
	sheets, _ := top["worksheets"].([]any) // of format 3
	for _, sheet := range sheets {
		more, is := objectOf(sheet)["cells"].([]any)
		cells, ok = append(cells, more...), ok || is
	}
	if !ok {
		if _, drive := top["doc_id"]; drive {
			return &Unreadable{OtherType, "it is a link to a file on Google Drive, not a notebook: hand in the file that it leads to"}
		}
		return &Unreadable{NotValid, "it has no list of cells: this JSON is not a notebook"}
	}
	tidyNotebook(m.nb.Metadata)
	m.nb.Minor = 5
	if minor := countOf(top["nbformat_minor"]); minor != nil && sheets == nil {
		m.nb.Minor = *minor
	}
	m.nb.old = m.nb.Minor < 5
	for i, v := range cells {
		fields, ok := v.(map[string]any)
		if !ok {
			return &Unreadable{NotValid, fmt.Sprintf("cell %d: want an object: this JSON is not a notebook", i+1)}
		}
		m.nb.Cells = append(m.nb.Cells, m.cell(fields))
	}
	if m.nb.old && len(m.at) > 0 { // its format has no ids: it is of a newer one
		m.nb.old, m.nb.Minor = false, 5
	}
	for i, c := range m.nb.Cells {
		for n := 0; c.ID == ""; n++ {
			if id := newID(i, c, n); !m.at[id] {
				c.ID, m.at[id], c.made = id, true, m.nb.old
			}
		}
	}
	return nil
}

func (m *mender) cell(v map[string]any) *Cell {
	c := &Cell{Metadata: objectOf(v["metadata"])}
	if id, _ := v["id"].(string); validID.MatchString(id) && !m.at[id] {
		c.ID, m.at[id] = id, true
	}
	source, there := v["source"]
	if !there {
		source = v["input"] // of format 3
	}
	c.Source = sourceOf(source)
	_, outputs := v["outputs"]
	_, count := v["execution_count"]
	c.Type, _ = v["cell_type"].(string)
	switch {
	case c.Type == "code" || c.Type == "markdown" || c.Type == "raw":
	case c.Type == "heading": // of format 3
		level := countOf(v["level"])
		if level == nil {
			level = new(int)
		}
		c.Type, c.Source = "markdown", strings.Repeat("#", min(max(*level, 1), 6))+" "+strings.Join(strings.Fields(c.Source), " ")
	case c.Type == "html":
		c.Type = "markdown"
	case outputs || count || objectOf(c.Metadata["nbgrader"])["cell_type"] == "code":
		c.Type = "code"
	default:
		c.Type = "raw"
	}
	tidyCell(c.Metadata)
	if c.Type == "code" {
		c.ExecutionCount = countOf(v["execution_count"])
		list, _ := v["outputs"].([]any)
		for _, v := range list {
			o, err := parseOutput(upgradedOutput(v))
			if err != nil {
				m.dropped++
				continue
			}
			o.Extra = nil
			tidyBundle(o.Data)
			c.Outputs = append(c.Outputs, o)
		}
	} else if bundles, ok := v["attachments"].(map[string]any); ok {
		c.Attachments = map[string]any{}
		for name, v := range bundles {
			if bundle, ok := v.(map[string]any); ok {
				joinBundle(bundle)
				tidyBundle(bundle)
				c.Attachments[name] = bundle
			}
		}
	}
	return c
}

// objectOf returns v, or an empty object if it is none.
func objectOf(v any) map[string]any {
	if m, ok := v.(map[string]any); ok {
		return m
	}
	return map[string]any{}
}

// sourceOf joins the lines of a source. A number among them stands for its digits.
func sourceOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case []any:
		var w strings.Builder
		for _, line := range v {
			if _, nested := line.([]any); !nested {
				w.WriteString(sourceOf(line))
			}
		}
		return w.String()
	}
	return ""
}

// countOf returns a count, which may stand in a string, nil if v is none.
func countOf(v any) *int {
	text, _ := v.(string)
	if n, ok := v.(json.Number); ok {
		text = n.String()
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return nil
	}
	return &n
}

// Package nbformat reads and writes Jupyter notebooks, the .ipynb files of
// format 4.5.
//
// A notebook that is read and written again comes out byte for byte as
// Jupyter's own nbformat.write would save it: keys sorted, one space of
// indentation a level, text split into lines, non-ASCII characters as they
// are. Keys and metadata that this package does not know, and numbers in
// whatever notation they had, are kept.
//
//	nb, err := nbformat.Read("01-perceptron.ipynb")
//	if err != nil {
//		return err
//	}
//	for _, c := range nb.Cells {
//		fmt.Println(c.ID, c.Type, len(c.Outputs))
//	}
//	return nb.WriteFile("01-perceptron.ipynb")
//
// Text that a file holds as a list of lines is one joined string here.
// Notebooks of format 4.0 to 4.4, whose cells have no ids, get ids made from
// each cell's place and content, the same ones whenever the file is read. They
// are written in their own format, without those ids. Older formats are refused.
// [Mend] reads what students hand in, whose files have flaws.
//
// Source: the JSON schema nbformat.v4.5.schema.json and the Python package
// nbformat 5 (modules v4.rwbase and v4.nbjson), Jupyter Development Team.
package nbformat

import (
	"fmt"
	"slices"
	"strings"
)

// A Notebook is one .ipynb file.
type Notebook struct {
	Cells    []*Cell
	Metadata map[string]any // numbers are json.Number, so that they are written back as they stood
	Minor    int            // nbformat_minor, written as 5 at least unless it was read as less; nbformat itself is always 4
	Extra    map[string]any // top-level keys outside the schema, kept

	old bool // read from format 4.0 to 4.4
}

// A Cell is one cell of a notebook.
type Cell struct {
	ID             string // unique in its notebook: 1 to 64 of a-z A-Z 0-9 - _
	Type           string // "code", "markdown" or "raw"
	Metadata       map[string]any
	Source         string         // the lines joined
	Attachments    map[string]any // file name to MIME bundle; nil if absent
	Outputs        []Output       // of code cells only
	ExecutionCount *int           // of code cells only; nil is null
	Extra          map[string]any // keys outside the schema, kept

	made bool // the id is not in the file, whose format has none: it is written to newer ones alone
}

// An Output is one output of a code cell. Type says which of the fields count.
type Output struct {
	Type string // "stream", "display_data", "execute_result" or "error"

	Name, Text string // stream: "stdout" or "stderr", and what was written there

	// Data of display_data and execute_result goes from MIME type to content:
	// a string (binary formats in base64), or any JSON value for
	// application/json and application/*+json.
	Data           map[string]any
	Metadata       map[string]any // display_data and execute_result
	ExecutionCount *int           // execute_result; nil is null

	EName, EValue string   // error
	Traceback     []string // error

	Extra map[string]any // keys outside the schema, kept
}

// Language returns the programming language of the notebook in the spelling
// of its kernel: kernelspec.language, else language_info.name, else what the
// kernel's name says (python3 is python, gonb is go), else "". Go is "go",
// however a kernel spells it.
func (nb *Notebook) Language() string {
	for _, at := range [][2]string{{"kernelspec", "language"}, {"language_info", "name"}} {
		m, _ := nb.Metadata[at[0]].(map[string]any)
		name, _ := m[at[1]].(string)
		if strings.EqualFold(name, "go") || strings.EqualFold(name, "golang") {
			return "go"
		}
		if name != "" {
			return name
		}
	}
	spec, _ := nb.Metadata["kernelspec"].(map[string]any)
	name, _ := spec["name"].(string)
	if strings.HasPrefix(name, "go") {
		return "go"
	}
	return strings.TrimRight(name, "0123456789.-")
}

// WantGo returns an error if the notebook is in another language than Go.
func (nb *Notebook) WantGo() error {
	if language := nb.Language(); language != "go" && language != "" {
		return fmt.Errorf("a notebook in %s, want Go: open it in Jupyter with a kernel for %[1]s", language)
	}
	return nil
}

// HasTag reports whether tag is among the cell's metadata.tags.
func (c *Cell) HasTag(tag string) bool {
	tags, _ := c.Metadata["tags"].([]any)
	return slices.Contains(tags, any(tag))
}

// Setting returns the cell's metadata.marginalia[key] and whether it is there.
func (c *Cell) Setting(key string) (any, bool) {
	m, _ := c.Metadata["marginalia"].(map[string]any)
	v, ok := m[key]
	return v, ok
}

// MergeStreams returns out with every run of stream outputs of one name
// joined into its first: a kernel sends what a program prints in pieces of
// arbitrary size, which mean nothing. The result shares no slice with out.
func MergeStreams(out []Output) []Output {
	merged := make([]Output, 0, len(out))
	for len(out) > 0 {
		o, run := out[0], 1
		for run < len(out) && o.Type == "stream" && out[run].Type == "stream" && out[run].Name == o.Name {
			run++
		}
		if run > 1 { // gathered at once: adding piece by piece takes time quadratic in their number
			var text strings.Builder
			for _, piece := range out[:run] {
				text.WriteString(piece.Text)
			}
			o.Text = text.String()
		}
		merged, out = append(merged, o), out[run:]
	}
	return merged
}

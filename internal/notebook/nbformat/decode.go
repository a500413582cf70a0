package nbformat

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"unicode/utf8"
)

// Read reads the notebook in the named file. An error names the file, and the
// cell where one is at fault.
func Read(name string) (*Notebook, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, syscall.EISDIR) {
		return nil, fmt.Errorf("nbformat: %s is a folder, want a notebook: name those in it, as %s", name, filepath.Join(name, "*.ipynb"))
	}
	if err != nil {
		return nil, fmt.Errorf("nbformat: %w", err)
	}
	nb, err := Decode(data)
	if err != nil {
		return nil, fmt.Errorf("nbformat: %s: %w", name, err)
	}
	return nb, nil
}

// Decode reads a notebook from the bytes of an .ipynb file.
func Decode(data []byte) (*Notebook, error) {
	f, err := parseJSON(data)
	if err != nil {
		return nil, err
	}
	version := f.take("nbformat")
	major, err := intOf(version)
	switch {
	case err != nil || version == nil:
		return nil, errors.New("nbformat is missing or not an integer: this JSON is not a notebook")
	case major < 4:
		return nil, fmt.Errorf("nbformat %d is older than 4: open the file in Jupyter and save it, or run jupyter nbconvert --to notebook --inplace on it", major)
	case major > 4:
		return nil, fmt.Errorf("nbformat %d is newer than 4, the newest this program knows: save it as nbformat 4", major)
	}
	nb := &Notebook{}
	if nb.Minor, err = intOf(f.take("nbformat_minor")); err != nil || nb.Minor < 0 {
		return nil, errors.New("nbformat_minor: want an integer >= 0")
	}
	nb.old = nb.Minor < 5
	nb.Metadata = without(f.object("metadata"), transientNotebook...)
	cells, ok := f.take("cells").([]any)
	if !ok {
		f.fail("cells: want a list")
	}
	if f.err != nil {
		return nil, f.err
	}
	nb.Extra = f.left

	nb.Cells = make([]*Cell, len(cells))
	at := map[string]int{} // id to the place of its cell, counted from 1
	for i, v := range cells {
		c, err := parseCell(v)
		if err != nil {
			id := ""
			if c.ID != "" {
				id = fmt.Sprintf(" (id %q)", c.ID)
			}
			return nil, fmt.Errorf("cell %d%s: %w", i+1, id, err)
		}
		if first := at[c.ID]; first > 0 {
			return nil, fmt.Errorf("cells %d and %d have the same id %q: give one of them an id of its own", first, i+1, c.ID)
		}
		if c.ID != "" {
			at[c.ID] = i + 1
		}
		nb.Cells[i] = c
	}
	for i, c := range nb.Cells {
		for n := 0; c.ID == ""; n++ {
			if id := newID(i, c, n); at[id] == 0 {
				c.ID, at[id] = id, i+1
				c.made = nb.old
			}
		}
	}
	return nb, nil
}

// newID makes an id for the cell at index i out of place, type and source; n
// counts the ids that were tried for it and found taken.
func newID(i int, c *Cell, n int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %d %s\n%s", n, i, c.Type, c.Source))
	return fmt.Sprintf("%x", sum[:4])
}

// parseJSON reads data as one JSON object and nothing after it.
func parseJSON(data []byte) (*fields, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if what, instead := TypeOf(data[:min(len(data), 4096)]); what != "" {
		return nil, fmt.Errorf("the file is %s, not a notebook: want %s", what, instead)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errors.New("the file is empty: want a JSON object")
	}
	for i, line := range bytes.SplitAfter(data, []byte("\n")) {
		if !utf8.Valid(line) {
			return nil, fmt.Errorf("line %d: not UTF-8: save the file in that encoding", i+1)
		}
	}
	line := func(offset int64) int { return 1 + bytes.Count(data[:min(int(offset), len(data))], []byte("\n")) }
	if at := loneSurrogate(data); at >= 0 {
		return nil, fmt.Errorf("line %d: %s is half of a surrogate pair, which stands for no character: remove it", line(int64(at)), data[at:at+6])
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		if at := conflict.FindIndex(data); at != nil {
			return nil, fmt.Errorf("line %d: %q is where git could not merge two versions: take one of them (git checkout --ours, or --theirs, and the file), or undo the merge (git merge --abort)", line(int64(at[0])), data[at[0]:at[1]])
		}
		var syntax *json.SyntaxError
		switch {
		case errors.As(err, &syntax):
			return nil, fmt.Errorf("line %d: not valid JSON: %v", line(syntax.Offset), err)
		case errors.Is(err, io.ErrUnexpectedEOF):
			return nil, fmt.Errorf("line %d: the JSON ends in the middle: the file was cut off", line(int64(len(data))))
		}
		return nil, fmt.Errorf("not valid JSON: %v", err)
	}
	end := dec.InputOffset()
	if rest := bytes.TrimSpace(data[end:]); len(rest) > 0 {
		start := end + int64(bytes.Index(data[end:], rest))
		return nil, fmt.Errorf("line %d: text follows the end of the notebook's JSON object: remove it (two notebooks in one file, or a bad merge?)", line(start))
	}
	f := fieldsOf(v)
	if f.err != nil {
		return nil, errors.New("want a JSON object at the top: this JSON is not a notebook")
	}
	return f, nil
}

// conflict matches the marks that git leaves around the versions of a conflict.
var conflict = regexp.MustCompile(`(?m)^(<{7}|\|{7}|={7}|>{7})( .*?)?\r?$`)

// escape matches an escape sequence of JSON. The group is the half of a surrogate pair
// that stands without the other one.
var escape = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\.`)

// loneSurrogate returns the index of the first \ud800 … \udfff that is not
// half of a pair, or -1. (encoding/json would put U+FFFD in its place.)
func loneSurrogate(data []byte) int {
	if !bytes.Contains(data, []byte(`\ud`)) && !bytes.Contains(data, []byte(`\uD`)) {
		return -1
	}
	for _, m := range escape.FindAllSubmatchIndex(data, -1) {
		if m[2] >= 0 {
			return m[2]
		}
	}
	return -1
}

var validID = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// parseCell returns what it could make of the cell also when there is an error.
func parseCell(v any) (*Cell, error) {
	f := fieldsOf(v)
	c := &Cell{}
	if id, there := f.left["id"]; there {
		delete(f.left, "id")
		if c.ID, _ = id.(string); !validID.MatchString(c.ID) {
			f.fail("id: want 1 to 64 of the characters a-z A-Z 0-9 - _")
		}
	}
	c.Type = f.string("cell_type", "code, markdown or raw")
	c.Source = f.text("source")
	c.Metadata = without(f.object("metadata"), transientCell...)
	if _, there := f.left["attachments"]; there {
		c.Attachments = f.object("attachments")
		for _, bundle := range c.Attachments {
			if b, ok := bundle.(map[string]any); ok {
				joinBundle(b)
			}
		}
	}
	switch c.Type {
	case "markdown", "raw":
	case "code":
		c.ExecutionCount = f.count("execution_count")
		outputs := f.take("outputs")
		list, ok := outputs.([]any)
		if !ok && outputs != nil {
			f.fail("outputs: want a list")
		}
		for i, v := range list {
			o, err := parseOutput(v)
			if err != nil {
				f.fail("output %d: %w", i+1, err)
			}
			c.Outputs = append(c.Outputs, o)
		}
	default:
		f.fail("cell_type %q: want code, markdown or raw", c.Type)
	}
	c.Extra = f.left
	return c, f.err
}

func parseOutput(v any) (Output, error) {
	f := fieldsOf(v)
	o := Output{Type: f.string("output_type", "stream, display_data, execute_result or error")}
	switch o.Type {
	case "stream":
		o.Name = f.string("name", "stdout or stderr")
		o.Text = f.text("text")
	case "display_data", "execute_result":
		o.Data = f.object("data")
		joinBundle(o.Data)
		o.Metadata = f.object("metadata")
		if o.Type == "execute_result" {
			o.ExecutionCount = f.count("execution_count")
		}
	case "error":
		o.EName = f.string("ename", "a string")
		o.EValue = f.string("evalue", "a string")
		var ok bool
		if o.Traceback, ok = stringsOf(f.take("traceback")); !ok {
			f.fail("traceback: want a list of strings")
		}
	default:
		f.fail("output_type %q: want stream, display_data, execute_result or error", o.Type)
	}
	o.Extra = f.left
	return o, f.err
}

// joinBundle joins the lists of lines in a MIME bundle, save those of the JSON
// types, where a list is a list.
func joinBundle(b map[string]any) {
	for mime, v := range b {
		isJSON := mime == "application/json" || strings.HasPrefix(mime, "application/") && strings.HasSuffix(mime, "+json")
		if text, ok := joined(v); ok && !isJSON {
			b[mime] = text
		}
	}
}

// joined returns v, a string or a list of lines, as one string.
func joined(v any) (string, bool) {
	if lines, ok := stringsOf(v); ok {
		return strings.Join(lines, ""), true
	}
	text, ok := v.(string)
	return text, ok
}

func stringsOf(v any) ([]string, bool) {
	list, ok := v.([]any)
	if !ok {
		return nil, false
	}
	lines := make([]string, len(list))
	for i, e := range list {
		if lines[i], ok = e.(string); !ok {
			return nil, false
		}
	}
	return lines, true
}

// intOf returns v as an int; a missing one is 0.
func intOf(v any) (int, error) {
	if v == nil {
		return 0, nil
	}
	n, ok := v.(json.Number)
	if !ok {
		return 0, errors.New("want an integer")
	}
	return strconv.Atoi(n.String())
}

// without takes the keys named from m, and returns it.
func without(m map[string]any, keys ...string) map[string]any {
	for _, k := range keys {
		delete(m, k)
	}
	return m
}

// fields are those of a JSON object. They are taken one by one, and the keys that are
// left are outside the schema. err is about the first value that is not as it should be.
type fields struct {
	left map[string]any
	err  error
}

func fieldsOf(v any) *fields {
	left, ok := v.(map[string]any)
	if !ok {
		return &fields{err: errors.New("want an object")}
	}
	return &fields{left: left}
}

func (f *fields) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf(format, args...)
	}
}

// take takes the value of a key, nil if it is missing.
func (f *fields) take(key string) any {
	v := f.left[key]
	delete(f.left, key)
	return v
}

func (f *fields) string(key, want string) string {
	s, ok := f.take(key).(string)
	if !ok {
		f.fail("%s: want %s", key, want)
	}
	return s
}

func (f *fields) text(key string) string {
	s, ok := joined(f.take(key))
	if !ok {
		f.fail("%s: want a string or a list of strings", key)
	}
	return s
}

// object takes an object; a missing one is empty.
func (f *fields) object(key string) map[string]any {
	v := f.take(key)
	m, ok := v.(map[string]any)
	switch {
	case v == nil:
		return map[string]any{}
	case !ok:
		f.fail("%s: want an object", key)
	}
	return m
}

// count takes an execution count; a missing one is nil.
func (f *fields) count(key string) *int {
	v := f.take(key)
	n, err := intOf(v)
	switch {
	case v == nil:
		return nil
	case err != nil || n < 0:
		f.fail("%s: want an integer >= 0 or null", key)
	}
	return &n
}

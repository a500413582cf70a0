package nbformat

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Read reads the notebook in the named file. An error names the file, and the
// cell where one is at fault.
func Read(name string) (*Notebook, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("nbformat: %w", err)
	}
	nb, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("nbformat: %s: %w", name, err)
	}
	return nb, nil
}

// parse reads a notebook from the bytes of an .ipynb file.
func parse(data []byte) (*Notebook, error) {
	top, err := parseJSON(data)
	if err != nil {
		return nil, err
	}
	major, err := intOf(top["nbformat"])
	switch {
	case err != nil || top["nbformat"] == nil:
		return nil, errors.New("nbformat is missing or no integer: this JSON is not a notebook")
	case major < 4:
		return nil, fmt.Errorf("nbformat %d is older than 4: open the file in Jupyter and save it, or run jupyter nbconvert --to notebook --inplace on it", major)
	case major > 4:
		return nil, fmt.Errorf("nbformat %d is newer than 4, the newest this program knows: save it as nbformat 4", major)
	}
	nb := &Notebook{}
	if nb.Minor, err = intOf(top["nbformat_minor"]); err != nil || nb.Minor < 0 {
		return nil, errors.New("nbformat_minor: want an integer >= 0")
	}
	nb.old = nb.Minor < 5
	if nb.Metadata, err = objectOf(top["metadata"]); err != nil {
		return nil, fmt.Errorf("metadata: %w", err)
	}
	without(nb.Metadata, transientNotebook...)
	cells, ok := top["cells"].([]any)
	if !ok {
		return nil, errors.New("cells: want a list")
	}
	nb.Extra = without(top, "nbformat", "nbformat_minor", "metadata", "cells")

	nb.Cells = make([]*Cell, len(cells))
	at := map[string]int{} // id to the place of its cell, counted from 1
	for i, v := range cells {
		c, err := parseCell(v)
		if err != nil {
			id := ""
			if c != nil && c.ID != "" {
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
func parseJSON(data []byte) (map[string]any, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
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
	top, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("want a JSON object at the top: this JSON is not a notebook")
	}
	return top, nil
}

var escape = regexp.MustCompile(`\\(?:u[0-9a-fA-F]{4}|.)`)

// loneSurrogate returns the index of the first \ud800 … \udfff that is not
// half of a pair, or -1. (encoding/json would put U+FFFD in its place.)
func loneSurrogate(data []byte) int {
	if !bytes.Contains(data, []byte(`\ud`)) && !bytes.Contains(data, []byte(`\uD`)) {
		return -1
	}
	high := -1
	for _, m := range escape.FindAllIndex(data, -1) {
		var r uint64
		if data[m[0]+1] == 'u' && m[1]-m[0] == 6 {
			r, _ = strconv.ParseUint(string(data[m[0]+2:m[1]]), 16, 32)
		}
		isLow := r >= 0xdc00 && r < 0xe000
		switch {
		case high >= 0 && !(isLow && m[0] == high+6):
			return high
		case isLow && high < 0:
			return m[0]
		}
		high = -1
		if r >= 0xd800 && r < 0xdc00 {
			high = m[0]
		}
	}
	return high
}

var validID = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// parseCell returns what it could make of the cell also when there is an error.
func parseCell(v any) (*Cell, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("want an object")
	}
	c := &Cell{}
	var err error
	if id, there := m["id"]; there {
		if c.ID, ok = id.(string); !ok || !validID.MatchString(c.ID) {
			return c, errors.New("id: want 1 to 64 of the characters a-z A-Z 0-9 - _")
		}
	}
	if c.Type, ok = m["cell_type"].(string); !ok {
		return c, errors.New("cell_type is missing: want code, markdown or raw")
	}
	if c.Source, err = textOf(m["source"]); err != nil {
		return c, fmt.Errorf("source: %w", err)
	}
	if c.Metadata, err = objectOf(m["metadata"]); err != nil {
		return c, fmt.Errorf("metadata: %w", err)
	}
	without(c.Metadata, transientCell...)
	if a, there := m["attachments"]; there {
		if c.Attachments, err = objectOf(a); err != nil {
			return c, fmt.Errorf("attachments: %w", err)
		}
		for _, bundle := range c.Attachments {
			if b, ok := bundle.(map[string]any); ok {
				joinBundle(b)
			}
		}
	}
	known := []string{"id", "cell_type", "source", "metadata", "attachments"}
	switch c.Type {
	case "markdown", "raw":
	case "code":
		known = append(known, "outputs", "execution_count")
		if c.ExecutionCount, err = countOf(m["execution_count"]); err != nil {
			return c, err
		}
		outputs, ok := m["outputs"].([]any)
		if !ok && m["outputs"] != nil {
			return c, errors.New("outputs: want a list")
		}
		for i, v := range outputs {
			o, err := parseOutput(v)
			if err != nil {
				return c, fmt.Errorf("output %d: %w", i+1, err)
			}
			c.Outputs = append(c.Outputs, o)
		}
	default:
		return c, fmt.Errorf("cell_type %q: want code, markdown or raw", c.Type)
	}
	c.Extra = without(m, known...)
	return c, nil
}

func parseOutput(v any) (Output, error) {
	var o Output
	m, ok := v.(map[string]any)
	if !ok {
		return o, errors.New("want an object")
	}
	if o.Type, ok = m["output_type"].(string); !ok {
		return o, errors.New("output_type is missing: want stream, display_data, execute_result or error")
	}
	var err error
	known := []string{"output_type"}
	switch o.Type {
	case "stream":
		known = append(known, "name", "text")
		if o.Name, ok = m["name"].(string); !ok {
			return o, errors.New("name: want stdout or stderr")
		}
		if o.Text, err = textOf(m["text"]); err != nil {
			return o, fmt.Errorf("text: %w", err)
		}
	case "display_data", "execute_result":
		known = append(known, "data", "metadata")
		if o.Data, err = objectOf(m["data"]); err != nil {
			return o, fmt.Errorf("data: %w", err)
		}
		joinBundle(o.Data)
		if o.Metadata, err = objectOf(m["metadata"]); err != nil {
			return o, fmt.Errorf("metadata: %w", err)
		}
		if o.Type == "execute_result" {
			known = append(known, "execution_count")
			if o.ExecutionCount, err = countOf(m["execution_count"]); err != nil {
				return o, err
			}
		}
	case "error":
		known = append(known, "ename", "evalue", "traceback")
		if o.EName, ok = m["ename"].(string); !ok {
			return o, errors.New("ename: want a string")
		}
		if o.EValue, ok = m["evalue"].(string); !ok {
			return o, errors.New("evalue: want a string")
		}
		if o.Traceback, ok = stringsOf(m["traceback"]); !ok {
			return o, errors.New("traceback: want a list of strings")
		}
	default:
		return o, fmt.Errorf("output_type %q: want stream, display_data, execute_result or error", o.Type)
	}
	o.Extra = without(m, known...)
	return o, nil
}

// joinBundle joins the lists of lines in a MIME bundle, save those of the JSON
// types, where a list is a list.
func joinBundle(b map[string]any) {
	for mime, v := range b {
		if isJSON(mime) {
			continue
		}
		if lines, ok := stringsOf(v); ok {
			b[mime] = strings.Join(lines, "")
		}
	}
}

func isJSON(mime string) bool {
	return mime == "application/json" || strings.HasPrefix(mime, "application/") && strings.HasSuffix(mime, "+json")
}

// without takes the keys named from m, and returns it.
func without(m map[string]any, keys ...string) map[string]any {
	for _, k := range keys {
		delete(m, k)
	}
	return m
}

// objectOf returns v as an object; a missing one is empty.
func objectOf(v any) (map[string]any, error) {
	if v == nil {
		return map[string]any{}, nil
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("want an object")
	}
	return m, nil
}

// textOf returns v, a string or a list of lines, as one string.
func textOf(v any) (string, error) {
	if s, ok := v.(string); ok {
		return s, nil
	}
	if lines, ok := stringsOf(v); ok {
		return strings.Join(lines, ""), nil
	}
	return "", errors.New("want a string or a list of strings")
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

func countOf(v any) (*int, error) {
	if v == nil {
		return nil, nil
	}
	n, err := intOf(v)
	if err != nil || n < 0 {
		return nil, errors.New("execution_count: want an integer >= 0 or null")
	}
	return &n, nil
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

package nbformat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"marginalia/internal/base/atomicfile"
)

// Metadata that a running Jupyter keeps in memory and never saves.
var (
	transientNotebook = []string{"orig_nbformat", "orig_nbformat_minor", "signature"}
	transientCell     = []string{"trusted"}
)

// Encode returns the notebook as the contents of an .ipynb file, the same
// bytes that Jupyter (nbformat.write in Python) saves. It is an error if two
// cells share an id or one has none, or if metadata or outputs hold a value
// that JSON has no form for.
func (nb *Notebook) Encode() ([]byte, error) {
	cells := make([]any, len(nb.Cells))
	seen := map[string]bool{}
	for i, c := range nb.Cells {
		switch {
		case !validID.MatchString(c.ID):
			return nil, fmt.Errorf("nbformat: cell %d: id %q: want 1 to 64 of the characters a-z A-Z 0-9 - _", i+1, c.ID)
		case seen[c.ID]:
			return nil, fmt.Errorf("nbformat: cell %d: id %q: another cell has it too: ids are unique", i+1, c.ID)
		}
		seen[c.ID] = true
		cells[i] = c.object()
		if c.made && nb.old { // of another notebook's cell it is as good as any
			delete(cells[i].(map[string]any), "id")
		}
	}
	top := object(nb.Extra)
	top["cells"] = cells
	top["metadata"] = without(object(nb.Metadata), transientNotebook...)
	top["nbformat"] = 4
	top["nbformat_minor"] = nb.Minor
	if !nb.old {
		top["nbformat_minor"] = max(nb.Minor, 5)
	}

	data, err := write(top)
	if err != nil {
		return nil, fmt.Errorf("nbformat: %w", err)
	}
	return data, nil
}

// WriteFile writes the notebook to the named file as atomicfile.Write does: all
// of it or nothing, and not at all if the file has these bytes already.
func (nb *Notebook) WriteFile(name string) error {
	data, err := nb.Encode()
	if err != nil {
		return fmt.Errorf("%w (nothing was written to %s)", err, name)
	}
	if err := atomicfile.Write(name, data); err != nil {
		return fmt.Errorf("nbformat: %w", err)
	}
	return nil
}

func (c *Cell) object() map[string]any {
	m := object(c.Extra)
	m["id"] = c.ID
	m["cell_type"] = c.Type
	m["metadata"] = without(object(c.Metadata), transientCell...)
	m["source"] = splitLines(c.Source)
	if c.Attachments != nil {
		attachments := object(c.Attachments)
		for name, bundle := range attachments {
			if b, ok := bundle.(map[string]any); ok {
				attachments[name] = splitBundle(b)
			}
		}
		m["attachments"] = attachments
	}
	if c.Type == "code" {
		outputs := make([]any, len(c.Outputs))
		for i := range c.Outputs {
			outputs[i] = c.Outputs[i].object()
		}
		m["outputs"] = outputs
		m["execution_count"] = c.ExecutionCount
	}
	return m
}

func (o *Output) object() map[string]any {
	m := object(o.Extra)
	m["output_type"] = o.Type
	switch o.Type {
	case "stream":
		m["name"] = o.Name
		m["text"] = splitLines(o.Text)
	case "display_data", "execute_result":
		m["data"] = splitBundle(o.Data)
		m["metadata"] = object(o.Metadata)
		if o.Type == "execute_result" {
			m["execution_count"] = o.ExecutionCount
		}
	case "error":
		m["ename"] = o.EName
		m["evalue"] = o.EValue
		m["traceback"] = append([]string{}, o.Traceback...)
	}
	return m
}

// object returns a copy of m, never nil.
func object(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return maps.Clone(m)
}

// splitBundle returns a MIME bundle with its text, JavaScript and SVG split
// into lines.
func splitBundle(b map[string]any) map[string]any {
	b = object(b)
	for mime, v := range b {
		if s, ok := v.(string); ok && (strings.HasPrefix(mime, "text/") || mime == "application/javascript" || mime == "image/svg+xml") {
			b[mime] = splitLines(s)
		}
	}
	return b
}

// splitLines splits s after every line boundary as Python's
// str.splitlines(True) does, which knows more of them than the newline.
func splitLines(s string) []string {
	lines := []string{}
	start := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch r {
		case '\r':
			if i < len(s) && s[i] == '\n' {
				i++
			}
		case '\n', '\v', '\f', 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029:
		default:
			continue
		}
		lines = append(lines, s[start:i])
		start = i
	}
	if start < len(s) {
		lines = append(lines, s[start:])
	}
	return lines
}

// write returns v as Python's json.dumps(v, ensure_ascii=False, indent=1,
// sort_keys=True, separators=(",", ": ")) does, with a newline. encoding/json
// also escapes line separators and bytes that are not UTF-8; here they stay as they are.
func write(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(v); err != nil {
		return nil, locate(v, err)
	}
	return []byte(verbatim.Replace(b.String())), nil
}

var verbatim = strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029", `\ufffd`, "\ufffd")

// locate puts the keys before err that lead to a value that JSON has no form for.
func locate(v any, err error) error {
	m, _ := v.(map[string]any)
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if _, err := json.Marshal(m[k]); err != nil {
			return fmt.Errorf("%s: %w", k, locate(m[k], err))
		}
	}
	return err
}

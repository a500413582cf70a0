package release

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"marginalia/internal/notebook/nbgrader"
)

// A kind of stream decides how much is a leak.
type kind int

const (
	inCells kind = iota // the code of cells, where idioms are shared with the solution
	inTests             // the code of visible tests, which hidden tests look like
	elsewhere
	decoded
)

// A stream is what students get in some order in which a secret may be split over it.
type stream struct {
	kind   kind
	pieces []piece
	how    []string // what was decoded to get there
}

// streams returns all that students get: the code of cells, that of tests, comments,
// Markdown, answers in it, all sources in order, metadata in order and by key, outputs and
// attachments with it, the names of files, and files.
func (a *Handout) streams() []stream {
	var code, tests, comments, words, answers, sources, rest []piece
	byKey := map[string][]piece{}
	for _, nb := range a.Notebooks {
		file := nb.Name + ".ipynb"
		for i, c := range nb.Release.Cells {
			m, _ := nbgrader.Read(c)
			id := m.ID
			if id == "" {
				id = c.ID
			}
			p := piece{fmt.Sprintf("%s, cell %d (%s)", file, i+1, id), c.Source, true}
			if c.Type != "code" && m.Solution {
				answers = append(answers, p) // a stub, which a text that is split goes around
				continue
			}
			if c.Type != "code" {
				words, sources = append(words, p), append(sources, p)
				continue
			}
			remark := p
			p.text, remark.text = splitComments(c.Source)
			comments = append(comments, remark)
			if m.Kind() == nbgrader.Tests {
				tests = append(tests, p)
			} else {
				code, sources = append(code, p), append(sources, p)
			}
		}
		// The rest is whatever else the file says.
		var top map[string]any
		if data, err := nb.Release.Encode(); err != nil || json.Unmarshal(data, &top) != nil {
			panic("release: a notebook that was read cannot be written") // Make has written its source
		}
		cells, _ := top["cells"].([]any)
		delete(top, "cells")
		each := func(where string) func(path, text string) {
			return func(path, text string) {
				p := piece{where + path, text, false}
				rest, byKey[path] = append(rest, p), append(byKey[path], p)
			}
		}
		for i, v := range cells {
			c, _ := v.(map[string]any)
			delete(c, "source")
			walk("", c, each(fmt.Sprintf("%s, cell %d, ", file, i+1)))
		}
		walk("", top, each(file+", "))
	}
	all := []stream{{inCells, code, nil}, {inTests, tests, nil}, {elsewhere, comments, nil}, {elsewhere, words, nil}, {elsewhere, answers, nil}, {inCells, sources, nil}, {elsewhere, rest, nil}}
	for _, path := range slices.Sorted(maps.Keys(byKey)) {
		all = append(all, stream{elsewhere, byKey[path], nil})
	}
	var names []piece
	for _, nb := range a.Notebooks {
		names = append(names, piece{"the name of " + nb.Name + ".ipynb", nb.Name, false})
	}
	for _, f := range a.Files {
		names = append(names, piece{"the name of " + f.Path, f.Path, false})
		for from := 0; from == 0 || from+overlap < len(f.Data); from += maxOne - overlap {
			part := piece{f.Path, string(f.Data[from:min(from+maxOne-1, len(f.Data))]), len(f.Data) < maxOne}
			all = append(all, stream{elsewhere, []piece{part}, nil})
		}
	}
	return append(all, stream{elsewhere, names, nil})
}

// walk calls do with each text of a JSON value and its path, in the order of the keys.
// Keys are texts too. A list of texts is one text, as for lines.
func walk(path string, v any, do func(path, text string)) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			do(path+" key", key)
			walk(strings.TrimPrefix(path+"."+key, "."), v[key], do)
		}
	case []any:
		var lines strings.Builder
		for _, e := range v {
			s, ok := e.(string)
			if !ok {
				for _, e := range v {
					walk(path+"[]", e, do)
				}
				return
			}
			lines.WriteString(s)
		}
		do(path, lines.String())
	case nil, bool:
	default:
		do(path, fmt.Sprint(v))
	}
}

// splitComments returns the code and the comments of Go, each with spaces where the
// other is, so that lines stay lines.
func splitComments(source string) (code, comments string) {
	c, r := []byte(source), []byte(source)
	blank := func(b []byte, from, to int) {
		for i := from; i < to; i++ {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
	}
	for i := 0; i < len(source); {
		end, comment := len(source), false
		find := func(from int, what string) {
			if at := strings.Index(source[min(from, len(source)):], what); at >= 0 {
				end = from + at + len(what)
			}
		}
		switch rest := source[i:]; {
		case strings.HasPrefix(rest, "//"):
			comment = true
			if find(i, "\n"); end > 0 && source[end-1] == '\n' {
				end--
			}
		case strings.HasPrefix(rest, "/*"):
			comment = true
			find(i+2, "*/")
		case rest[0] == '`':
			find(i+1, "`")
		case rest[0] == '"' || rest[0] == '\'':
			for j := i + 1; j < len(source); j++ {
				if source[j] == '\\' {
					j++
				} else if source[j] == rest[0] || source[j] == '\n' {
					end = j + 1
					break
				}
			}
		default:
			end = i + 1
		}
		if comment {
			blank(c, i, end)
		} else {
			blank(r, i, end)
		}
		i = end
	}
	return string(c), string(r)
}

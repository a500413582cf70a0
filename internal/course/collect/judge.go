package collect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"marginalia/internal/nbformat"
)

// judge reads a handed-in notebook. It returns the ids of its nbgrader cells, or
// what is wrong with it. Memory is bounded by maxNotebook and maxValues, whatever
// the file is.
func judge(name string) (ids map[string]bool, fault *Fault) {
	f, err := os.Open(name)
	if err != nil {
		return nil, &Fault{Kind: Refused, Reason: "it cannot be read: " + cause(err)}
	}
	defer f.Close()
	head := make([]byte, 512)
	n, _ := io.ReadFull(f, head)
	head = head[:n]
	switch info, err := f.Stat(); {
	case err != nil:
		return nil, &Fault{Kind: Refused, Reason: "it cannot be read: " + cause(err)}
	case len(bytes.TrimSpace(head)) == 0 && info.Size() <= int64(len(head)):
		return nil, &Fault{Kind: Empty, Reason: "it is empty"}
	case info.Size() > maxNotebook:
		return nil, &Fault{Kind: TooLarge, Reason: fmt.Sprintf("it has %s, more than %s", bytesOf(info.Size()), bytesOf(maxNotebook))}
	}
	if kind := typeOf(head); kind != "" {
		return nil, &Fault{Kind: OtherType, Reason: "it is " + kind + ", not a notebook"}
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, &Fault{Kind: Refused, Reason: "it cannot be read: " + cause(err)}
	}
	if fault := measure(f); fault != nil {
		return nil, fault
	}
	nb, err := nbformat.Read(name)
	if err != nil {
		// The file's name is said already.
		words := err.Error()
		if _, after, found := strings.Cut(words, name+": "); found {
			words = after
		}
		switch {
		case strings.Contains(words, "is older than 4"):
			return nil, &Fault{Kind: OldFormat, Reason: words}
		case strings.Contains(words, "JSON ends in the middle"), strings.Contains(words, "not valid JSON"), strings.Contains(words, "UTF-8"), strings.Contains(words, "surrogate"), strings.Contains(words, "text follows the end"):
			return nil, &Fault{Kind: NotJSON, Reason: words}
		}
		return nil, &Fault{Kind: NotValid, Reason: words}
	}
	return gradeIDs(nb), nil
}

// gradeIDs returns the ids of a notebook's nbgrader cells.
func gradeIDs(nb *nbformat.Notebook) map[string]bool {
	ids := map[string]bool{}
	for _, c := range nb.Cells {
		m, _ := c.Metadata["nbgrader"].(map[string]any)
		if id, _ := m["grade_id"].(string); id != "" {
			ids[id] = true
		}
	}
	return ids
}

// measure reads JSON as a stream and returns a fault if a notebook of it would
// have too many cells or values. What is no JSON passes: nbformat says where.
func measure(r io.Reader) *Fault {
	dec := json.NewDecoder(r)
	dec.UseNumber()
	depth, values, cells := 0, 0, 0
	var inCells, key bool // within the list of cells; the next value at depth 1 is a key
	for {
		t, err := dec.Token()
		if err != nil {
			var syntax *json.SyntaxError
			if errors.As(err, &syntax) && strings.Contains(err.Error(), "max depth") {
				return &Fault{Kind: TooLarge, Reason: "its JSON is nested too deep"}
			}
			return nil
		}
		if values++; values > maxValues {
			return &Fault{Kind: TooLarge, Reason: fmt.Sprintf("it has more than %d values of JSON", maxValues)}
		}
		switch t := t.(type) {
		case json.Delim:
			if t == '{' || t == '[' {
				if inCells && depth == 2 {
					cells++
				}
				depth++
				key = depth == 1
				continue
			}
			if depth--; depth == 1 {
				inCells, key = false, true
			}
		case string:
			if depth == 1 {
				if key {
					inCells = t == "cells"
				}
				key = !key
			}
		default:
			if depth == 1 {
				key = true
			}
		}
		if cells > maxCells {
			return &Fault{Kind: TooLarge, Reason: fmt.Sprintf("it has more than %d cells", maxCells)}
		}
		if depth > maxNesting {
			return &Fault{Kind: TooLarge, Reason: fmt.Sprintf("its JSON is nested more than %d deep", maxNesting)}
		}
	}
}

// typeOf says what a file is that begins with head, "" if it may be text.
func typeOf(head []byte) string {
	for _, t := range []struct{ magic, kind string }{
		{"PK\x03\x04", "a zip file or a Word, Excel or OpenDocument file"},
		{"\xd0\xcf\x11\xe0", "an old Word or Excel file"},
		{"%PDF", "a PDF"},
		{"\x89PNG", "a picture"},
		{"\xff\xd8\xff", "a picture"},
		{"GIF8", "a picture"},
		{"\x1f\x8b", "compressed by gzip"},
		{"Rar!", "a RAR archive"},
		{"7z\xbc\xaf\x27\x1c", "a 7z archive"},
		{"{\\rtf", "an RTF file"},
		{"bplist", "a Web archive of Safari"},
		{"<!DOCTYPE", "a Web page"},
		{"<!doctype", "a Web page"},
		{"<html", "a Web page"},
		{"\xff\xfe", "text in UTF-16"},
		{"\xfe\xff", "text in UTF-16"},
	} {
		if bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte(t.magic)) {
			return t.kind
		}
	}
	return ""
}

// kindOf says for the reason what a file that is no notebook is: by its first bytes,
// else by its name.
func kindOf(name, stored string) string {
	if f, err := os.Open(stored); err == nil {
		defer f.Close()
		head := make([]byte, 16)
		n, _ := io.ReadFull(f, head)
		if n == 0 {
			return "an empty file"
		}
		switch ext := strings.ToLower(path.Ext(name)); {
		case ext == ".docx" || ext == ".doc" || ext == ".odt":
			return "a Word file"
		case typeOf(head[:n]) != "":
			return typeOf(head[:n])
		case ext == ".py" || ext == ".go" || ext == ".r" || ext == ".m":
			return "a program"
		case ext == ".txt" || ext == ".md" || ext == ".csv":
			return "text"
		}
	}
	return "no notebook"
}

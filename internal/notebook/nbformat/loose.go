package nbformat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A looseJSON reads JSON as Python's json and browsers write and read it, and a little beyond: NaN and Infinity are null,
// half of a surrogate pair is U+FFFD, control characters may stand in strings, and the last of several equal keys counts.
type looseJSON struct {
	data    []byte
	at      int
	depth   int
	values  int
	cells   int  // objects in lists that are called cells
	outputs int  // bytes of outputs that are kept
	left    int  // bytes of outputs that are left out
	skip    bool // values are passed over, and nil
	err     *Unreadable
}

func (p *looseJSON) fail(kind Kind, format string, args ...any) any {
	if p.err == nil {
		p.err = &Unreadable{kind, fmt.Sprintf(format, args...)}
	}
	p.at = len(p.data)
	return nil
}

// wrong is the error of a byte that no JSON has there.
func (p *looseJSON) wrong(want string) any {
	line := 1 + bytes.Count(p.data[:p.at], []byte("\n"))
	switch {
	case p.at >= len(p.data):
		return p.fail(NotJSON, "line %d: the JSON ends in the middle: the file was cut off", line)
	case bytes.HasPrefix(p.data, []byte("<<<<<<<")) || bytes.Contains(p.data, []byte("\n<<<<<<<")):
		return p.fail(NotJSON, "line %d: not valid JSON: it has the marks of a merge that git could not finish (<<<<<<<)", line)
	}
	r, _ := utf8.DecodeRune(p.data[p.at:])
	return p.fail(NotJSON, "line %d: not valid JSON: %q, want %s", line, r, want)
}

// next returns the next byte that is not blank, 0 at the end.
func (p *looseJSON) next() byte {
	for p.at < len(p.data) {
		switch b := p.data[p.at]; b {
		case ' ', '\t', '\r', '\n':
			p.at++
		default:
			return b
		}
	}
	return 0
}

// value reads the value of a key, which is "" in a list.
func (p *looseJSON) value(key string) any {
	switch p.values++; { // what is passed over takes no memory
	case p.skip:
	case p.values > maxValues:
		return p.fail(TooLarge, "it has more than %d values of JSON", maxValues)
	case p.at-p.outputs-p.left > maxKept:
		return p.fail(TooLarge, "it has more than %d MB without its outputs", maxKept>>20)
	}
	switch b := p.next(); {
	case b == '{' || b == '[':
		if p.depth++; p.depth > maxNesting {
			return p.fail(TooLarge, "its JSON is nested more than %d deep", maxNesting)
		}
		defer func() { p.depth-- }()
		p.at++
		if b == '{' {
			return p.object()
		}
		return p.list(key)
	case b == '"':
		return p.string()
	}
	for _, w := range words {
		if bytes.HasPrefix(p.data[p.at:], w.text) {
			p.at += len(w.text)
			return w.value
		}
	}
	from := p.at
	for p.at < len(p.data) && strings.IndexByte("+-.eE0123456789", p.data[p.at]) >= 0 {
		p.at++
	}
	if text := string(p.data[from:p.at]); json.Valid([]byte(text)) {
		return json.Number(text)
	}
	p.at = from
	return p.wrong("a value")
}

// words are the values that are no numbers. JSON has no form for the last three.
var words = []struct {
	text  []byte
	value any
}{{[]byte("true"), true}, {[]byte("false"), false}, {[]byte("null"), nil}, {[]byte("NaN"), nil}, {[]byte("Infinity"), nil}, {[]byte("-Infinity"), nil}}

func (p *looseJSON) object() any {
	m := map[string]any{}
	for first := true; ; first = false {
		switch b := p.next(); {
		case b == '}':
			p.at++
			if p.skip {
				return nil
			}
			return m
		case !first && b != ',':
			return p.wrong("a comma or }")
		case !first:
			p.at++
		}
		if p.next() != '"' {
			return p.wrong("a key in quotes")
		}
		key, _ := p.string().(string)
		if p.next() != ':' {
			return p.wrong("a colon")
		}
		p.at++
		var v any
		if key != "outputs" || p.skip || p.fits() {
			v = p.value(key)
		}
		if p.err != nil {
			return nil
		}
		if !p.skip {
			m[key] = v
		}
	}
}

func (p *looseJSON) list(key string) any {
	list := []any{}
	for first := true; ; first = false {
		switch b := p.next(); {
		case b == ']':
			p.at++
			if p.skip {
				return nil
			}
			return list
		case !first && b != ',':
			return p.wrong("a comma or ]")
		case !first:
			p.at++
		}
		if key == "cells" && !p.skip {
			if p.cells++; p.cells > maxCells {
				return p.fail(TooLarge, "it has more than %d cells", maxCells)
			}
		}
		v := p.value("")
		if p.err != nil {
			return nil
		}
		if !p.skip {
			list = append(list, v)
		}
	}
}

// fits reports whether the outputs of a cell are small enough to be kept. Those that are not it passes over.
func (p *looseJSON) fits() bool {
	from, values := p.at, p.values
	p.skip = true
	p.value("")
	p.skip = false
	size, all := p.at-from, p.values
	p.values = values
	if p.outputs+size > maxOutputs || all > maxValues/2 {
		p.left += size
		return false
	}
	p.outputs += size
	if p.err == nil {
		p.at = from
	}
	return true
}

// string reads a string, whose first byte is its quote.
func (p *looseJSON) string() any {
	p.at++
	end := bytes.IndexByte(p.data[p.at:], '"')
	if end >= 0 && bytes.IndexByte(p.data[p.at:p.at+end], '\\') < 0 {
		s := p.data[p.at : p.at+end]
		if p.at += end + 1; p.skip {
			return nil
		}
		return string(s)
	}
	var w strings.Builder
	for {
		run := p.at
		for p.at < len(p.data) && p.data[p.at] != '"' && p.data[p.at] != '\\' {
			p.at++
		}
		if !p.skip {
			w.Write(p.data[run:p.at])
		}
		switch {
		case p.at == len(p.data):
			return p.wrong("the end of a string")
		case p.data[p.at] == '"':
			p.at++
			return w.String()
		case !p.escape(&w):
			return p.wrong("an escape sequence of JSON")
		}
		if p.skip {
			w.Reset()
		}
	}
}

func (p *looseJSON) escape(w *strings.Builder) bool {
	if p.at+1 >= len(p.data) {
		p.at = len(p.data)
		return false
	}
	b := p.data[p.at+1]
	if i := strings.IndexByte(`"\/bfnrt`, b); i >= 0 {
		w.WriteByte("\"\\/\b\f\n\r\t"[i])
		p.at += 2
		return true
	}
	r, ok := p.unit(p.at)
	if !ok {
		return false
	}
	p.at += 6
	if utf16.IsSurrogate(r) {
		low, _ := p.unit(p.at)
		if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
			p.at += 6
		}
	}
	w.WriteRune(r)
	return true
}

// unit reads \uXXXX.
func (p *looseJSON) unit(at int) (rune, bool) {
	if at+6 > len(p.data) || p.data[at] != '\\' || p.data[at+1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(p.data[at+2:at+6]), 16, 16)
	return rune(n), err == nil
}

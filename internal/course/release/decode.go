package release

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"crypto/sha256"
	"encoding/base64"
	"html"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	maxDepth   = 4         // of one encoding within another
	maxDecoded = 256 << 20 // bytes in all
	maxOne     = 4 << 20   // bytes of one text: longer files are looked at in parts
	maxWritten = 1 << 20   // bytes of one text that could be written otherwise
	maxPacked  = 16 << 20  // bytes that come out of one compressed place
	overlap    = 64 << 10  // bytes that two parts have in common
)

// stream looks for secrets in a stream, as it is, written otherwise, and decoded.
func (s *search) stream(st stream) {
	var joined strings.Builder
	var ends []int
	for _, p := range st.pieces {
		joined.WriteString(p.text + "\n")
		ends = append(ends, joined.Len())
	}
	text := joined.String()
	sum := sha256.Sum256([]byte(text))
	if len(text) < gram || len(st.how) > maxDepth || len(st.how) > 0 && s.seen[sum] {
		return
	}
	s.seen[sum] = true
	if len(st.how) > 0 {
		if s.left -= len(text); s.left < 0 {
			s.missed(st.pieces[0].where)
			return
		}
	}
	s.match(lettersOf(st.pieces), st.kind, strings.Join(st.how, ", "))
	if len(text) <= maxWritten {
		s.rewritten(st, text)
	}
	if len(st.pieces) > 1 { // each alone first, which says where it is
		for _, p := range st.pieces {
			s.decode(p.text, st, func(int) string { return p.where })
		}
	}
	s.decode(text, st, func(offset int) string {
		n, _ := slices.BinarySearch(ends, offset+1)
		return st.pieces[min(n, len(ends)-1)].where
	})
}

// rewritten goes on with what the pieces of a stream say otherwise, each in its place.
func (s *search) rewritten(st stream, text string) {
	do := func(how string, rewrite func(string) string) {
		pieces := slices.Clone(st.pieces)
		for i := range pieces {
			pieces[i].text = rewrite(pieces[i].text)
		}
		s.stream(stream{st.kind, pieces, append(slices.Clip(st.how), how)})
	}
	// What is escaped is as much of a leak as it would be without.
	if strings.Contains(text, `\`) {
		do("escaped", func(t string) string { return escapes.ReplaceAllStringFunc(t, unescape) })
	}
	if strings.Contains(text, "&") {
		do("HTML", html.UnescapeString)
	}
	if percents.MatchString(text) {
		do("percent signs", func(t string) string {
			return percents.ReplaceAllStringFunc(t, func(e string) string {
				n, _ := strconv.ParseUint(e[1:], 16, 8) // the pattern has two digits
				return string([]byte{byte(n)})
			})
		})
	}
	if strings.Contains(text, "<") {
		do("between tags", func(t string) string { return tags.ReplaceAllString(t, "") })
	}
	if lineNumbers.MatchString(text) {
		do("lines with numbers", func(t string) string { return lineNumbers.ReplaceAllString(t, "") })
	}
}

var (
	escapes     = regexp.MustCompile(`\\(?:u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|[0-7]{3}|.)`)
	percents    = regexp.MustCompile(`%[0-9a-fA-F]{2}`)
	tags        = regexp.MustCompile(`<[^<>]*>`)
	lineNumbers = regexp.MustCompile(`(?m)^[^\pL\pN\n]*[0-9]+[^\pL\pN\n]+`)
)

// base64Signs makes base64 for addresses plain.
var base64Signs = strings.NewReplacer("-", "+", "_", "/")

// base64s returns the places of what may be base64: eight or more of its letters in a row.
func base64s(t string) (found [][2]int) {
	for from := 0; from < len(t); from++ {
		end := from
		for end < len(t) && isBase64(t[end]) {
			end++
		}
		if end-from >= 8 {
			found = append(found, [2]int{from, end})
		}
		from = end
	}
	return found
}

func isBase64(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '+' || c == '/' || c == '_' || c == '-'
}

// decode looks for what the text of a stream may encode, and goes on with that. where
// says where a byte of it is.
func (s *search) decode(t string, st stream, where func(offset int) string) {
	derived := func(offset int, how, text string, k kind) {
		s.stream(stream{k, []piece{{where: where(offset), text: text}}, append(slices.Clip(st.how), how)})
	}
	unpack(t, func(offset int, how, text string) {
		if len(text) == maxPacked {
			s.missed(where(offset))
		}
		derived(offset, how, text, st.kind)
	})
	if len(t) > maxOne {
		return
	}
	encoded := func(offset int, how string, data []byte) {
		if len(data) < gram {
			return
		}
		derived(offset, how, string(data), decoded)
		// Package display stores text so. Deflate has no mark of its own, so only all of it is tried.
		s.inflater.(flate.Resetter).Reset(bytes.NewReader(data), nil)
		if text, err := limited(s.inflater); err == nil && utf8.ValidString(text) {
			derived(offset, how+", deflate", text, decoded)
		}
	}
	var pieces strings.Builder // of what is wrapped, at a multiple of four letters
	for _, m := range base64s(t) {
		data, _ := base64.RawStdEncoding.DecodeString(base64Signs.Replace(t[m[0]:m[1]])) // what comes before a fault counts
		encoded(m[0], "base64", data)
		pieces.Write(data)
	}
	encoded(0, "base64 in pieces", []byte(pieces.String()))
}

// unescape returns what an escape of Go or JSON stands for.
func unescape(e string) string {
	switch e[1] {
	case 'n', 't', 'r', 'f', 'v', 'a', 'b':
		return " "
	case 'u', 'U', 'x':
		if n, err := strconv.ParseUint(e[2:], 16, 32); err == nil && len(e) > 2 {
			return string(rune(n))
		}
	}
	if n, err := strconv.ParseUint(e[1:], 8, 16); err == nil && len(e) == 4 {
		return string(rune(n))
	}
	return e[1:]
}

// unpack calls do with the content of compressed data anywhere in a text: a file, a
// block of a picture or of a PDF, an archive.
func unpack(t string, do func(offset int, how, text string)) {
	for _, format := range []struct {
		name, magic string
		open        func(io.Reader) (io.Reader, error)
	}{
		{"gzip", "\x1f\x8b\x08", func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
		{"zlib", "\x78\x01", zlibReader}, {"zlib", "\x78\x5e", zlibReader}, {"zlib", "\x78\x9c", zlibReader}, {"zlib", "\x78\xda", zlibReader},
	} {
		for from, tries := 0, 0; tries < 1000; tries++ {
			at := strings.Index(t[from:], format.magic)
			if at < 0 {
				break
			}
			at += from
			from = at + 1
			if r, err := format.open(strings.NewReader(t[at:])); err == nil {
				text, _ := limited(r) // what comes before a fault counts
				do(at, format.name, text)
			}
		}
	}
	if at := strings.Index(t, "PK\x03\x04"); at >= 0 {
		if z, err := zip.NewReader(strings.NewReader(t[at:]), int64(len(t)-at)); err == nil {
			for _, f := range z.File {
				if r, err := f.Open(); err == nil {
					text, _ := limited(r)
					do(at, "zip, "+strconv.Quote(f.Name), f.Name+"\n"+text)
				}
			}
		}
	}
}

func zlibReader(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }

func limited(r io.Reader) (string, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxPacked))
	return string(data), err
}

package release

import (
	"archive/zip"
	"bytes"
	"compress/bzip2"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
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
	do := func(how string, k kind, rewrite func(string) string) {
		pieces := slices.Clone(st.pieces)
		for i := range pieces {
			pieces[i].text = rewrite(pieces[i].text)
		}
		if how == backwards {
			slices.Reverse(pieces)
		}
		s.stream(stream{k, pieces, append(slices.Clip(st.how), how)})
	}
	// What is escaped is as much of a leak as it would be without.
	if strings.Contains(text, `\`) {
		do("escaped", st.kind, func(t string) string { return escapes.ReplaceAllStringFunc(t, unescape) })
	}
	if strings.Contains(text, "&") {
		do("HTML", st.kind, html.UnescapeString)
	}
	if percents.MatchString(text) {
		do("percent signs or quoted-printable", st.kind, func(t string) string {
			return percents.ReplaceAllStringFunc(t, func(e string) string {
				n, err := strconv.ParseUint(strings.TrimLeft(e, "%="), 16, 8)
				if err != nil {
					return "" // a soft line break
				}
				return string([]byte{byte(n)})
			})
		})
	}
	if strings.Contains(text, "<") {
		do("between tags", st.kind, func(t string) string { return tags.ReplaceAllString(t, "") })
	}
	if lineNumbers.MatchString(text) {
		do("lines with numbers", st.kind, func(t string) string { return lineNumbers.ReplaceAllString(t, "") })
	}
	if len(st.how) == 0 {
		do("lines from the last to the first", st.kind, func(t string) string {
			lines := strings.Split(t, "\n")
			slices.Reverse(lines)
			return strings.Join(lines, "\n")
		})
		do("ROT13", decoded, func(t string) string { return strings.Map(rot13, t) })
		do(backwards, decoded, func(t string) string {
			runes := []rune(t)
			slices.Reverse(runes)
			return string(runes)
		})
	}
}

const backwards = "backwards"

// rot13 leaves out digits, which it would leave as they are.
func rot13(r rune) rune {
	switch {
	case 'a' <= r && r <= 'z':
		return 'a' + (r-'a'+13)%26
	case 'A' <= r && r <= 'Z':
		return 'A' + (r-'A'+13)%26
	case '0' <= r && r <= '9':
		return ' '
	}
	return r
}

// What may stand between the pieces of something that was encoded and then wrapped:
// the end of a line with what begins a comment or a quotation, or the end of one
// string and the beginning of another.
const (
	glue = "(?:[\"'`]?[ \t]*[,+\\\\]?[ \t]*\\r?\\n[ \t]*(?://+|#+|>+|\\*)?[ \t]*[\"'`]?|[\"'`]\\s*[,+]\\s*[\"'`])"
	b64  = `[A-Za-z0-9+/_-]`
)

var (
	gluePattern = regexp.MustCompile(glue)
	morePattern = regexp.MustCompile(`^(?:` + glue + `)` + b64 + `{2,}`) // another piece of base64
	lastPattern = regexp.MustCompile(`^(?:` + glue + `)` + b64)
	base32s     = regexp.MustCompile(`[A-Z2-7]{4,}(?:` + glue + `[A-Z2-7]{2,})*={0,6}`)
	escapes     = regexp.MustCompile(`\\(?:u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|[0-7]{3}|.)`)
	percents    = regexp.MustCompile(`[%=][0-9a-fA-F]{2}|=\r?\n`)
	tags        = regexp.MustCompile(`<[^<>]*>`)
	lineNumbers = regexp.MustCompile(`(?m)^[^\pL\pN\n]*[0-9]+[^\pL\pN\n]+`)
	notHex      = regexp.MustCompile(`0x|\\x|[^0-9a-fA-F]+`)
)

// base64Signs makes base64 for addresses plain, without the equals signs at the end.
var base64Signs = strings.NewReplacer("-", "+", "_", "/", "=", "")

// Most text has none of these, and a pattern takes long to find that out.
var (
	hexes   = newRuns(`(?:(?:0x|\\x)?[0-9a-fA-F]{2}[\s,;:"'`+"`"+`+/#]*){12,}`, "0123456789abcdefABCDEFx\\,;:\"'`+/#", 24)
	numbers = newRuns(`(?:[0-9]{1,3}[\s,;]+){11,}[0-9]{1,3}`, "0123456789,;", 23)
	bits    = newRuns(`(?:[01]{8}[\s,]*){12,}`, "01,", 96)
)

// runs finds a pattern that is made of few letters, and as long as least.
type runs struct {
	pattern *regexp.Regexp
	letters [256]bool
	least   int
}

func newRuns(pattern, letters string, least int) *runs {
	r := &runs{pattern: regexp.MustCompile(pattern), least: least}
	for _, c := range []byte(letters + "\t\n\f\r ") { // \s
		r.letters[c] = true
	}
	return r
}

// find returns what r.pattern.FindAllStringIndex would.
func (r *runs) find(t string) (found [][]int) {
	for from := 0; from < len(t); {
		to := from
		for to < len(t) && r.letters[t[to]] {
			to++
		}
		if to-from >= r.least {
			for _, m := range r.pattern.FindAllStringIndex(t[from:to], -1) {
				found = append(found, []int{from + m[0], from + m[1]})
			}
		}
		from = to + 1
	}
	return found
}

// base64s returns the places of what may be base64: pieces of two letters or more with glue
// between them, a last one of one letter perhaps, and up to two equals signs.
func base64s(t string) (found [][]int) {
	for from := 0; from < len(t); from++ {
		end := from
		for end < len(t) && isBase64(t[end]) {
			end++
		}
		if end-from < 2 {
			from = end
			continue
		}
		for _, p := range []*regexp.Regexp{morePattern, lastPattern} {
			for glued(t[end:]) {
				m := p.FindStringIndex(t[end:])
				if m == nil {
					break
				}
				end += m[1]
				if p == lastPattern {
					break
				}
			}
		}
		for range 2 {
			if end < len(t) && t[end] == '=' {
				end++
			}
		}
		found = append(found, []int{from, end})
		from = end - 1
	}
	return found
}

func isBase64(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '+' || c == '/' || c == '_' || c == '-'
}

// glued reports whether glue may begin here: it has a quotation mark in front or ends a line.
func glued(t string) bool {
	if t == "" || strings.IndexByte("\"'`", t[0]) >= 0 {
		return t != ""
	}
	t = strings.TrimLeft(t, " \t,+\\")
	return t != "" && (t[0] == '\r' || t[0] == '\n')
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
		// Deflate has no mark of its own, so that only all of it is tried.
		s.inflater.(flate.Resetter).Reset(bytes.NewReader(data), nil)
		if text, err := limited(s.inflater); err == nil && utf8.ValidString(text) {
			derived(offset, how+", deflate", text, decoded)
		}
	}
	var pieces strings.Builder // each line may be encoded on its own
	for _, m := range base64s(t) {
		if m[1]-m[0] < 8 {
			continue
		}
		run := t[m[0]:m[1]]
		if strings.ContainsAny(run, "\n\"'`") {
			run = gluePattern.ReplaceAllString(run, "")
		}
		run = base64Signs.Replace(run)
		for skip := range min(4, len(run)) { // letters of a word may stand before it
			data, _ := base64.RawStdEncoding.DecodeString(run[skip:])
			encoded(m[0], "base64", data)
			if skip == 0 {
				pieces.Write(data)
			}
		}
	}
	encoded(0, "base64 in pieces", []byte(pieces.String()))
	for _, m := range base32s.FindAllStringIndex(t, -1) {
		run := strings.TrimRight(gluePattern.ReplaceAllString(t[m[0]:m[1]], ""), "=")
		if data, _ := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(run); len(run) >= 20 {
			encoded(m[0], "base32", data)
		}
	}
	for _, m := range hexes.find(t) {
		run := notHex.ReplaceAllString(t[m[0]:m[1]], "")
		for skip := range 2 {
			data, _ := hex.DecodeString(run[skip : len(run)-(len(run)-skip)%2])
			encoded(m[0], "hexadecimal", data)
		}
	}
	for _, m := range bits.find(t) {
		run := strings.NewReplacer(" ", "", ",", "", "\n", "", "\t", "").Replace(t[m[0]:m[1]])
		var data []byte
		for ; len(run) >= 8; run = run[8:] {
			n, _ := strconv.ParseUint(run[:8], 2, 8)
			data = append(data, byte(n))
		}
		encoded(m[0], "bits", data)
	}
	for _, m := range numbers.find(t) {
		var data []byte
		for _, f := range strings.FieldsFunc(t[m[0]:m[1]], func(r rune) bool { return r < '0' || r > '9' }) {
			n, _ := strconv.Atoi(f)
			data = append(data, byte(n))
		}
		encoded(m[0], "numbers of bytes", data)
	}
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
		{"bzip2", "BZh", func(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil }},
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

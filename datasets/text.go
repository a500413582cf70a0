package datasets

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// text returns a reader of the text in r, without a byte order mark and without its first
// lines. A line may end in \n, \r\n or, as in files of old spreadsheets, \r alone. text
// returns an error if r does not hold text in UTF-8 or another superset of ASCII.
func text(r io.Reader, skip int) (*bufio.Reader, error) {
	raw := bufio.NewReader(r)
	head, _ := raw.Peek(512)
	if what := notText(head); what != "" {
		return nil, errors.New(what)
	}
	if bytes.HasPrefix(head, []byte("\ufeff")) { // byte order mark of spreadsheets
		raw.Discard(3)
	}
	lines := bufio.NewReaderSize(&newlines{r: raw}, 1<<16)
	for range skip {
		for {
			if _, err := lines.ReadSlice('\n'); err == nil {
				break
			} else if err == io.EOF {
				return lines, nil
			} else if err != bufio.ErrBufferFull {
				return nil, err
			}
		}
	}
	return lines, nil
}

// notText says what a file is that begins with head, and what to do; "" if it is text.
func notText(head []byte) string {
	const (
		utf16   = "the text is UTF-16; save it as UTF-8"
		webPage = "the file is a web page; download the data themselves"
	)
	for _, f := range []struct{ magic, what string }{
		{"\xff\xfe", utf16},
		{"\xfe\xff", utf16},
		{"PK\x03\x04", "the file is a zip archive, as workbooks (.xlsx) and .npz files are; unpack it, save the table as CSV, or read arrays with NumPy"},
		{"\x1f\x8b", "the data are compressed by gzip; Open reads such files, and gzip.NewReader such readers"},
		{"BZh91AY&SY", "the file is compressed by bzip2; unpack it"},
		{"\xfd7zXZ\x00", "the file is compressed by xz; unpack it"},
		{"\x28\xb5\x2f\xfd", "the file is compressed by zstd; unpack it"},
		{"\xd0\xcf\x11\xe0", "the file is an old workbook (.xls); save the table as CSV"},
		{npyMagic, "the file is an array of NumPy; read it with NumPy"},
		{"\x89HDF", "the file is HDF5; save the table as CSV"},
		{"PAR1\x15", "the file is Parquet; save the table as CSV"},
		{"RDX3\n", "the file is a workspace of R; save the table with write.csv"},
		{"<!DOCTYPE", webPage},
		{"<!doctype", webPage},
		{"<html", webPage},
	} {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return f.what
		}
	}
	if k := bytes.IndexByte(head, 0); k >= 0 {
		return fmt.Sprintf("byte %d is 0, so the file is not text, or UTF-16; save it as UTF-8", k)
	}
	return ""
}

// newlines reads r. If the first line ends in \r alone, all do, and each \r without a
// following \n becomes \n. In other texts a \r within a line is part of a field.
type newlines struct {
	r     *bufio.Reader
	known bool // whether lines end in \r alone
	alone bool
}

func (n *newlines) Read(p []byte) (int, error) {
	k, err := n.r.Read(p)
	if !n.known {
		if i := bytes.IndexAny(p[:k], "\r\n"); i >= 0 {
			n.known, n.alone = true, p[i] == '\r' && !n.newline(p[i+1:k])
		}
	}
	if !n.alone {
		return k, err
	}
	for rest := p[:k]; ; {
		i := bytes.IndexByte(rest, '\r')
		if i < 0 {
			return k, err
		}
		if !n.newline(rest[i+1:]) {
			rest[i] = '\n'
		}
		rest = rest[i+1:]
	}
}

// newline reports whether \n comes next: in rest or, if that is empty, in what is unread.
func (n *newlines) newline(rest []byte) bool {
	if len(rest) == 0 {
		rest, _ = n.r.Peek(1)
	}
	return len(rest) > 0 && rest[0] == '\n'
}

// blanks reads r with a blank in place of each tab.
type blanks struct{ r io.Reader }

func (b blanks) Read(p []byte) (int, error) {
	k, err := b.r.Read(p)
	for i, c := range p[:k] {
		if c == '\t' {
			p[i] = ' '
		}
	}
	return k, err
}

// nameFault says why s can't be a name in a figure, "" if it can: SVG, for example, has no
// control characters.
func nameFault(s string) string {
	if !utf8.ValidString(s) {
		return fmt.Sprintf("%q is not UTF-8; save the file as UTF-8, or read it through a decoder, such as charmap.Windows1252 of golang.org/x/text/encoding/charmap", s)
	}
	for _, c := range s {
		if unicode.IsControl(c) || c == 0xfffe || c == 0xffff {
			return fmt.Sprintf("%q has the control character %U; remove it", s, c)
		}
	}
	return ""
}

// heading returns the name of a column from the header, where a line break within quotes
// becomes a blank.
func heading(s string) string {
	return strings.NewReplacer("\r\n", " ", "\n", " ", "\t", " ").Replace(trimmed(s))
}

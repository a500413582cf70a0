package nbformat

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// textOf returns a file's text in UTF-8, whatever editor has saved it: UTF-16 (Notepad's Unicode, PowerShell's redirection)
// with or without a byte order mark, Windows-1252 (Notepad's ANSI), UTF-8 with invalid bytes. lost reports
// whether characters could not be read.
func textOf(data []byte) (text []byte, lost bool) {
	order, wide := unicode.LittleEndian, true
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		order = unicode.BigEndian
	case len(data) > 3 && data[1] == 0 && data[3] == 0 && data[0] != 0: // the first characters of JSON are ASCII
	case len(data) > 3 && data[0] == 0 && data[2] == 0 && data[1] != 0:
		order = unicode.BigEndian
	default:
		wide = false
	}
	switch {
	case wide:
		text, err := unicode.UTF16(order, unicode.UseBOM).NewDecoder().Bytes(data)
		if err == nil {
			return bytes.TrimLeft(text, "\ufeff"), false
		}
	case utf8.Valid(data):
		return bytes.TrimLeft(data, "\ufeff"), false
	case !multibyte(data):
		if text, err := charmap.Windows1252.NewDecoder().Bytes(data); err == nil {
			return text, false
		}
	}
	return bytes.TrimLeft(bytes.ToValidUTF8(data, []byte("\ufffd")), "\ufeff"), true
}

// multibyte reports whether a text has a character of UTF-8 beyond ASCII.
func multibyte(data []byte) bool {
	for i := 0; i < len(data); {
		if data[i] < utf8.RuneSelf {
			i++
			continue
		}
		if _, size := utf8.DecodeRune(data[i:]); size > 1 {
			return true
		}
		i++
	}
	return false
}

package nbformat

import (
	"bytes"
	"strings"
)

// An Unreadable says why a file can't be read as a notebook, in words for the person who handed it in.
type Unreadable struct {
	Kind Kind
	Why  string
}

func (u *Unreadable) Error() string { return u.Why }

// A Kind is what is wrong with a file that should be a notebook.
type Kind string

const (
	Empty     Kind = "empty"    // it has no bytes
	OtherType Kind = "type"     // a Word file, a PDF, a Web page
	NotJSON   Kind = "json"     // it is not JSON, or was cut off
	NotValid  Kind = "notebook" // its JSON is not a notebook
	TooLarge  Kind = "large"    // it has too many cells or values
)

// types are files that are handed in as notebooks: how they begin, what they are, and what to do instead.
var types = []struct{ begin, what, instead string }{
	{"PK\x03\x04", "a zip file or a Word, Excel or OpenDocument file", ""},
	{"\xd0\xcf\x11\xe0", "an old Word or Excel file", ""},
	{"%PDF", "a PDF", ""},
	{"\x89PNG", "a picture", ""},
	{"\xff\xd8\xff", "a picture", ""},
	{"GIF8", "a picture", ""},
	{"\x1f\x8b", "compressed by gzip", ""},
	{"Rar!", "a RAR archive", ""},
	{"7z\xbc\xaf\x27\x1c", "a 7z archive", ""},
	{"{\\rtf", "an RTF file", ""},
	{"L\x00\x00\x00\x01\x14\x02\x00", "a shortcut of Windows to a file", "the file that it leads to"},
	{"[InternetShortcut]", "a link to a page", "the file that it leads to"},
	{"book\x00\x00\x00\x00mark", "an alias of macOS to a file", "the file that it leads to"},
	{"\x00\x05\x16\x07", "what macOS keeps beside a file", ""},
	{"version https://git-lfs.github.com/spec/", "a pointer of Git LFS to a file", "the file, which git lfs pull fetches"},
	{"bplist", "a Web archive of Safari", ""},
	{"<!doctype", "a Web page", ""},
	{"<html", "a Web page", ""},
	{"<head", "a Web page", ""},
	{"<?xml", "an XML file", ""},
	{"package ", "a program in Go", "a notebook with the program in its cells"},
	{"#!/", "a program", "a notebook with the program in its cells"},
}

// TypeOf says what a file is that begins with head, "" if it may be a notebook; and what its owner
// should hand in instead.
func TypeOf(head []byte) (what, instead string) {
	const itself = "the .ipynb file itself, as JupyterLab's File › Download saves it"
	start := bytes.TrimLeft(head, " \t\r\n\ufeff")
	if bytes.HasPrefix(start, []byte("bplist")) && bytes.Contains(start, []byte("NSURLNameKey")) {
		return "what iCloud keeps in place of a file that is not on this computer", "the file, once Finder has downloaded it"
	}
	for _, t := range types {
		if len(start) >= len(t.begin) && strings.EqualFold(string(start[:len(t.begin)]), t.begin) {
			if t.instead == "" {
				return t.what, itself
			}
			return t.what, t.instead
		}
	}
	return "", ""
}

// otherType is the error of a file that is no notebook at all.
func otherType(data []byte) *Unreadable {
	if len(bytes.Trim(data[:min(len(data), 4096)], " \t\r\n\x00\ufeff")) == 0 && len(bytes.Trim(data, " \t\r\n\x00\ufeff")) == 0 {
		return &Unreadable{Empty, "it is empty"}
	}
	if what, instead := TypeOf(data[:min(len(data), 4096)]); what != "" {
		return &Unreadable{OtherType, "it is " + what + ", not a notebook: hand in " + instead}
	}
	return nil
}

// Seems reports whether a file that begins with head may be a notebook: JSON with an object at its top.
func Seems(head []byte) bool {
	text, _ := textOf(head)
	return bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{"))
}

package collect

import (
	"archive/zip"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"marginalia/internal/notebook/nbformat"
)

// A file is one file of an input.
type file struct {
	path    []string // its folders and its name
	size    int64    // as the zip or the file system says
	open    func() (io.ReadCloser, error)
	refused string // why it is not read; "" if it can be
}

var errDirectory = fmt.Errorf("its table of contents has more than %s, want less", bytesOf(maxDirectory))

// readZip lists the files of a zip. It is refused as a whole if it is none, was cut
// off, has more than maxEntries entries, or entries that share bytes: two names for
// the same compressed data make bombs of any size (Fifield, A better zip bomb,
// USENIX WOOT 2019). A file that is refused alone says so.
func readZip(r io.ReaderAt, size int64) ([]file, error) {
	// While the table of contents is read nothing else is.
	table := &bounded{r: r, left: maxDirectory}
	z, err := zip.NewReader(table, size)
	table.left = -1
	switch {
	case errors.Is(err, errDirectory):
		return nil, err
	case err != nil:
		return nil, errors.New("it is not a zip file, or was cut off")
	case len(z.File) > maxEntries:
		return nil, fmt.Errorf("it has %d entries, more than %d", len(z.File), maxEntries)
	}
	if err := disjoint(z.File); err != nil {
		return nil, err
	}
	files := make([]file, 0, len(z.File))
	seen := map[string]int{} // path to the place in files, counted from 1
	for _, f := range z.File {
		if f.Mode().IsDir() || strings.HasSuffix(f.Name, "/") {
			continue
		}
		name := entryName(f)
		path, err := components(name)
		e := file{path: path, size: int64(min(f.UncompressedSize64, 1<<62)), open: f.Open}
		switch {
		case err != nil:
			// The name is what was wrong: it is kept for the message alone.
			e.path, e.refused = []string{name}, err.Error()
		default:
			e.refused = refusedEntry(f)
		}
		files = append(files, e)
		if err != nil {
			continue
		}
		key := strings.Join(path, "/")
		if first := seen[key]; first > 0 {
			const twice = "the zip has two entries of this name, and programs differ in which one they take"
			files[first-1].refused, files[len(files)-1].refused = twice, twice
		}
		seen[key] = len(files)
	}
	return files, nil
}

// refusedEntry says what of an entry's header forbids to read it.
func refusedEntry(f *zip.File) string {
	compressed, size := f.CompressedSize64, f.UncompressedSize64
	switch mode := f.Mode(); {
	case mode&fs.ModeSymlink != 0:
		return "it is a symbolic link"
	case !mode.IsRegular():
		return "it is a device, a pipe or a socket"
	case f.Flags&(1|1<<6) != 0:
		return "it is encrypted"
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return fmt.Sprintf("it is compressed by method %d, want deflate", f.Method)
	case size > maxFile:
		return fmt.Sprintf("it has %s, more than %s", bytesOf(size), bytesOf(maxFile))
	case f.Method == zip.Store && compressed != size:
		return "it is stored as it is, yet with another size"
	case size > ratioFrom && size/maxRatio > compressed && !beginsAsNotebook(f):
		return fmt.Sprintf("%s come out of %s: that is a zip bomb", bytesOf(size), bytesOf(compressed))
	}
	return ""
}

// beginsAsNotebook reads the beginning of an entry.
func beginsAsNotebook(f *zip.File) bool {
	r, err := f.Open()
	if err != nil {
		return false
	}
	defer r.Close()
	return nbformat.Seems(headOf(r))
}

// disjoint returns an error if two entries share bytes of the zip.
func disjoint(files []*zip.File) error {
	type span struct{ from, to int64 }
	spans := make([]span, 0, len(files))
	for _, f := range files {
		from, err := f.DataOffset()
		if err != nil || f.CompressedSize64 > 1<<62 {
			return errors.New("an entry of its table of contents is not in it: it was cut off")
		}
		spans = append(spans, span{from, from + int64(f.CompressedSize64)})
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	for i := 1; i < len(spans); i++ {
		if spans[i].from < spans[i-1].to {
			return errors.New("two of its entries share bytes: that is a zip bomb")
		}
	}
	return nil
}

// entryName returns the name of an entry. It is UTF-8 if its flag says so, if the
// field Info-ZIP Unicode Path says so, or if it reads as UTF-8 (macOS sets no flag);
// else it is in code page 437.
//
// Source: PKWARE, APPNOTE.TXT 6.3.10, 4.4.4 (bit 11), 4.6.9 and appendix D.
func entryName(f *zip.File) string {
	if !f.NonUTF8 {
		return f.Name
	}
	for extra := f.Extra; len(extra) >= 4; {
		id, n := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		if extra = extra[4:]; n > len(extra) {
			break
		}
		field := extra[:n]
		extra = extra[n:]
		if id == 0x7075 && n > 5 && field[0] == 1 && binary.LittleEndian.Uint32(field[1:]) == crc32.ChecksumIEEE([]byte(f.Name)) && utf8.Valid(field[5:]) {
			return string(field[5:])
		}
	}
	if utf8.ValidString(f.Name) {
		return f.Name
	}
	name, err := charmap.CodePage437.NewDecoder().String(f.Name)
	if err != nil {
		return f.Name
	}
	return name
}

// components splits the name of a zip's entry into folders and file. A backslash
// separates too: some programs on Windows write it.
func components(name string) ([]string, error) {
	switch {
	case len(name) > maxPath:
		return nil, fmt.Errorf("its path has %d bytes, more than %d", len(name), maxPath)
	case strings.ContainsRune(name, 0):
		return nil, errors.New("its path has a NUL in it")
	}
	name = strings.ReplaceAll(name, `\`, "/")
	if strings.HasPrefix(name, "/") || len(name) > 1 && name[1] == ':' && (name[0]|0x20) >= 'a' && (name[0]|0x20) <= 'z' {
		return nil, errors.New("its path is absolute, want one within the zip")
	}
	var path []string
	for part := range strings.SplitSeq(name, "/") {
		switch part {
		case "", ".":
		case "..":
			return nil, errors.New("its path has .. in it, which leads out of the zip")
		default:
			path = append(path, part)
		}
	}
	switch {
	case len(path) == 0:
		return nil, errors.New("it has no name")
	case len(path) > maxDepth:
		return nil, fmt.Errorf("it is %d folders deep, more than %d", len(path)-1, maxDepth-1)
	}
	return path, nil
}

// bounded reads from r until left bytes are read; negative is without a bound.
type bounded struct {
	r    io.ReaderAt
	left int64
}

func (b *bounded) ReadAt(p []byte, off int64) (int, error) {
	n, err := b.r.ReadAt(p, off)
	if b.left >= 0 {
		if b.left -= int64(n); b.left < 0 {
			b.left = 0
			return 0, errDirectory
		}
	}
	return n, err
}

// bytesOf writes a number of bytes for a reader.
func bytesOf[T int | int64 | uint64](n T) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.0f MB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.0f kB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}

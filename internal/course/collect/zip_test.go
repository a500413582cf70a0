package collect

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

const moodle = "Ada_1_assignsubmission_file_/"

// raw is an entry of a zip whose header and bytes are the test's own.
type raw struct {
	zip.FileHeader
	data string
}

func headers(t testing.TB, entries ...raw) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		w := must.Get(z.CreateRaw(&e.FileHeader)).Or(t)
		must.Get(io.WriteString(w, e.data)).Or(t)
	}
	must.Do(t, z.Close())
	return b.String()
}

// storedEntry is not compressed.
func storedEntry(name, text string) raw {
	n := uint64(len(text))
	return raw{zip.FileHeader{Name: name, Method: zip.Store, CompressedSize64: n, UncompressedSize64: n, CRC32: crc32.ChecksumIEEE([]byte(text))}, text}
}

// deflatedEntry has these compressed bytes, and says that size comes out of them.
func deflatedEntry(name, data string, size uint64, sum uint32) raw {
	return raw{zip.FileHeader{Name: name, Method: zip.Deflate, CompressedSize64: uint64(len(data)), UncompressedSize64: size, CRC32: sum}, data}
}

// deflated is size zeros, compressed.
func deflated(size int) string {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression)
	block := make([]byte, 1<<20)
	for ; size > 0; size -= len(block) {
		w.Write(block[:min(size, len(block))])
	}
	w.Close()
	return b.String()
}

// Hostile zips: what is refused, and that nothing lands outside of the course. Each
// has a good student beside the bad entry where the zip itself can be read.
func TestHostileZips(t *testing.T) {
	good := storedEntry("Bob_2_assignsubmission_file_/ps1.ipynb", right("bob"))
	with := func(change func(*raw)) func(*testing.T) string {
		return func(t *testing.T) string {
			h := storedEntry(moodle+"ps1.ipynb", right("ada"))
			change(&h)
			return headers(t, good, h)
		}
	}
	named := func(name string) func(*testing.T) string {
		return with(func(h *raw) { h.Name = name })
	}
	bomb := deflated(50 << 20)
	for name, c := range map[string]struct {
		zip   func(*testing.T) string
		words string // of the refusal, wherever it stands
		whole bool   // the zip itself is refused
	}{
		"..":                {named("../../../outside.ipynb"), "..", false},
		".. of a student's": {named(moodle + "../../outside.ipynb"), "..", false},
		"absolute":          {named("/tmp/outside.ipynb"), "absolute", false},
		"a drive":           {named(`C:\outside.ipynb`), "absolute", false},
		"backslashes":       {named(moodle + `..\..\outside.ipynb`), "..", false},
		"NUL":               {named(moodle + "ps1.ipynb\x00.txt"), "NUL", false},
		"a deep one":        {named(moodle + strings.Repeat("a/", 40) + "ps1.ipynb"), "folders deep", false},
		"a long one":        {named(moodle + strings.Repeat("a", 5000)), "bytes, more than", false},
		"no name":           {named("./" + "."), "no name", false},
		"a symbolic link":   {with(func(h *raw) { h.SetMode(fs.ModeSymlink | 0o777) }), "symbolic link", false},
		"a device":          {with(func(h *raw) { h.SetMode(fs.ModeDevice | 0o666) }), "device", false},
		"a pipe":            {with(func(h *raw) { h.SetMode(fs.ModeNamedPipe | 0o666) }), "pipe", false},
		"encrypted":         {with(func(h *raw) { h.Flags |= 1 }), "encrypted", false},
		"LZMA":              {with(func(h *raw) { h.Method = 14 }), "method 14", false},
		"1 GB":              {with(func(h *raw) { h.Method, h.UncompressedSize64 = zip.Deflate, 1<<30 }), "1.0 GB, more than 100 MB", false},
		"a bomb": {func(t *testing.T) string {
			return headers(t, good, deflatedEntry(moodle+"ps1.ipynb", bomb, 50<<20, 0))
		}, "zip bomb", false},
		"a bomb that says it is small": {func(t *testing.T) string {
			return headers(t, good, deflatedEntry(moodle+"ps1.ipynb", bomb, 1000, 0))
		}, "damaged", false},
		"shorter than it says": {func(t *testing.T) string {
			return headers(t, good, deflatedEntry(moodle+"ps1.ipynb", deflated(1000), 5000, 0))
		}, "ends in the middle", false},
		"another checksum":      {with(func(h *raw) { h.CRC32++ }), "checksum", false},
		"stored with two sizes": {with(func(h *raw) { h.UncompressedSize64 = 7 }), "another size", false},
		"one name twice": {func(t *testing.T) string {
			return headers(t, good, storedEntry(moodle+"ps1.ipynb", right("a")), storedEntry(moodle+"ps1.ipynb", right("b")))
		}, "two entries of this name", false},
		"entries that overlap": {func(t *testing.T) string {
			z := headers(t, good, storedEntry(moodle+"ps1.ipynb", right("a")))
			// The second line of the table of contents points at the first file too.
			at := strings.LastIndex(z, "PK\x01\x02")
			return z[:at+42] + "\x00\x00\x00\x00" + z[at+46:]
		}, "share bytes", true},
		"cut off":      {func(t *testing.T) string { z := headers(t, good); return z[:len(z)-30] }, "cut off", true},
		"cut in front": {func(t *testing.T) string { z := headers(t, good); return z[100:] }, "cut off", true},
		"no zip":       {func(t *testing.T) string { return "Hello" }, "not a zip file", true},
		"empty":        {func(t *testing.T) string { return "" }, "not a zip file", true},
		"points beyond its end": {func(t *testing.T) string {
			z := headers(t, good)
			at := strings.LastIndex(z, "PK\x01\x02")
			return z[:at+42] + "\xff\xff\xff\x0f" + z[at+46:]
		}, "cut off", true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir() // course and zip lie in it: nothing else may
			course := filepath.Join(dir, "courses", "course")
			write(t, dir, map[string]string{"in/export.zip": c.zip(t)})
			write(t, course, map[string]string{"course.toml": "", "release/ps1/ps1.ipynb": right("")})
			res, err := Collect(t.Context(), Options{Course: open(t, course), Assignment: "ps1", Inputs: []string{filepath.Join(dir, "in", "export.zip")}})
			if c.whole {
				if err == nil || !strings.Contains(err.Error(), c.words) {
					t.Errorf("error %v, want one with %q", err, c.words)
				}
				return
			}
			must.Do(t, err)
			said := fmt.Sprint(res.Refused)
			for _, taken := range res.Taken {
				said += fmt.Sprint(taken.Record.Notes, taken.Record.Faults)
			}
			if !strings.Contains(said, c.words) {
				t.Errorf("said %s, want something with %q", said, c.words)
			}
			for file := range tree(t, dir) {
				if strings.Contains(file, "outside") && !strings.HasPrefix(file, "courses/course/") {
					t.Errorf("written: %s", file)
				}
			}
			if !slices.Contains(names(t, course), "2/ps1/ps1.ipynb") {
				t.Errorf("the good student beside it has no submission: %q", names(t, course))
			}
			if slices.Contains(names(t, course), "1/ps1/ps1.ipynb") {
				t.Error("it became the submission")
			}
		})
	}
}

// A table of contents is read to its limit and no further, whatever count it states.
func TestHugeDirectory(t *testing.T) {
	line := "PK\x01\x02" + strings.Repeat("\x00", 24) + "\xff\xff" + strings.Repeat("\x00", 16) // a name of 65535 bytes
	line += strings.Repeat("n", 65535)
	size := len(line) * 1000
	end := binary.LittleEndian.AppendUint32(append([]byte("PK\x05\x06\x00\x00\x00\x00"), 1, 0, 1, 0), uint32(size))
	end = append(end, 0, 0, 0, 0, 0, 0)
	z := strings.Repeat(line, 1000) + string(end)
	counted := &counting{r: strings.NewReader(z)}
	if _, err := readZip(counted, int64(len(z))); !errors.Is(err, errDirectory) {
		t.Errorf("error %v, want %v", err, errDirectory)
	}
	// zip reads at most 65 kB at the end in two attempts, and 4 kB ahead.
	if counted.n > maxDirectory+100<<10 {
		t.Errorf("read %d bytes of a table of %d, want at most %d", counted.n, size, maxDirectory)
	}
}

type counting struct {
	r io.ReaderAt
	n int
}

func (c *counting) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.r.ReadAt(p, off)
	c.n += n
	return n, err
}

// A million entries, with the count modulo 65536 that a zip states.
func TestMillionEntries(t *testing.T) {
	tier.Long(t)
	line := "PK\x01\x02" + strings.Repeat("\x00", 24) + "\x01\x00" + strings.Repeat("\x00", 16) + "n"
	const n = 1_000_000
	end := []byte("PK\x05\x06\x00\x00\x00\x00")
	for range 2 {
		end = binary.LittleEndian.AppendUint16(end, n%65536)
	}
	end = binary.LittleEndian.AppendUint32(end, uint32(n*len(line)))
	end = append(end, 0, 0, 0, 0, 0, 0)
	z := strings.Repeat(line, n) + string(end)
	if _, err := readZip(strings.NewReader(z), int64(len(z))); err == nil || !errors.Is(err, errDirectory) && !strings.Contains(err.Error(), "entries") {
		t.Errorf("error %v, want that it has too many entries", err)
	}
}

// What a student zips counts together: a thousand files.
func TestManyFiles(t *testing.T) {
	course := newCourse(t)
	many := []entry{{"zz/ps1.ipynb", right("")}}
	for i := range 2 * maxFiles {
		many = append(many, entry{fmt.Sprintf("x%d.csv", i), ""})
	}
	res := collect(t, course, Options{Inputs: []string{zipped(t, entry{moodle + "work.zip", zipOf(t, many...)})}})
	if said := fmt.Sprint(res.Taken[0].Record.Notes); !strings.Contains(said, "only 1000 are kept") {
		t.Errorf("notes %s", said)
	}
	if files := tree(t, filepath.Join(course, "attempts", "1")); len(files) > maxFiles+1 { // and the record
		t.Errorf("%d files are kept", len(files))
	}
	// Those that are refused one by one count too: the record has a line for each.
	many = nil
	for i := range 2 * maxFiles {
		many = append(many, entry{fmt.Sprintf("../x%d.csv", i), ""})
	}
	res = collect(t, course, Options{Inputs: []string{zipped(t, entry{"Bob_2_assignsubmission_file_/work.zip", zipOf(t, many...)})}})
	if n := len(res.Taken[0].Record.Notes); n != maxFiles {
		t.Errorf("%d notes, want %d", n, maxFiles)
	}
}

// Four files of 61 MB. Each alone is allowed, and together they are more than a submission may
// have.
func TestLargeFiles(t *testing.T) {
	tier.Long(t)
	// 61 MB come out of 1.1 MB, below the ratio that makes a bomb.
	var b bytes.Buffer
	pad, zeros := make([]byte, 1<<20), make([]byte, 60<<20)
	for i := range pad {
		pad[i] = byte(i * i >> 7)
	}
	w, _ := flate.NewWriter(&b, flate.NoCompression)
	w.Write(pad)
	w.Flush()
	b.WriteString(deflated(len(zeros)))
	sum := crc32.Update(crc32.ChecksumIEEE(pad), crc32.IEEETable, zeros)
	var large []raw
	for i := range 4 {
		large = append(large, deflatedEntry(fmt.Sprintf("%sx%d.bin", moodle, i), b.String(), 61<<20, sum))
	}
	dir, course := t.TempDir(), newCourse(t)
	write(t, dir, map[string]string{"large.zip": headers(t, large...)})
	res := collect(t, course, Options{Inputs: []string{filepath.Join(dir, "large.zip")}})
	if said := fmt.Sprint(res.Taken[0].Record.Notes); !strings.Contains(said, "with it the submission has more than 200 MB") {
		t.Errorf("notes %s", said)
	}
	size := 0
	for _, text := range tree(t, filepath.Join(course, "attempts")) {
		size += len(text)
	}
	if want := 3 * 61 << 20; size < want || size > want+1<<20 {
		t.Errorf("%d bytes are kept, want three files of 61 MB", size)
	}
}

// Bombs in bombs: a zip in a student's zip stays closed.
func TestNestedZip(t *testing.T) {
	course := newCourse(t)
	inner := zipOf(t, entry{"ps1.ipynb", right("")})
	for range 5 {
		inner = zipOf(t, entry{"inner.zip", inner})
	}
	collect(t, course, Options{Inputs: []string{zipped(t, entry{moodle + "a.zip", inner})}})
	files := tree(t, filepath.Join(course, "attempts/1/ps1"))
	if len(files) != 3 { // a.zip, inner.zip, the record
		t.Errorf("kept: %d files", len(files))
	}
	if f := record(t, course, "1").Fault("ps1"); f == nil || f.Kind != OtherType || !strings.Contains(f.Reason, "zip") {
		t.Errorf("fault: %+v", f)
	}
}

// Names in code page 437 and in UTF-8, with the flag, with the extra field and without
// either. 0x81 is ü in CP437, 0xe1 is ß (PKWARE, appendix D; IBM code page 437).
func TestEntryNames(t *testing.T) {
	unicodePath := func(header, name string) []byte {
		extra := []byte{0x75, 0x70, byte(5 + len(name)), 0, 1}
		extra = binary.LittleEndian.AppendUint32(extra, crc32.ChecksumIEEE([]byte(header)))
		return append(extra, name...)
	}
	for name, c := range map[string]struct {
		header zip.FileHeader // of an entry without bytes
		want   string
	}{
		"ASCII":                     {zip.FileHeader{Name: "a.csv"}, "a.csv"},
		"UTF-8 with the flag":       {zip.FileHeader{Name: "größe.csv", Flags: 0x800}, "größe.csv"},
		"UTF-8 of macOS":            {zip.FileHeader{Name: "gro\u0308ße.csv", NonUTF8: true}, "gro\u0308ße.csv"},
		"code page 437":             {zip.FileHeader{Name: "M\x81ller stra\xe1e.csv", NonUTF8: true}, "Müller straße.csv"},
		"the field Unicode Path":    {zip.FileHeader{Name: "M\x81ller.csv", NonUTF8: true, Extra: unicodePath("M\x81ller.csv", "李.csv")}, "李.csv"},
		"the field of another name": {zip.FileHeader{Name: "M\x81ller.csv", NonUTF8: true, Extra: unicodePath("other", "李.csv")}, "Müller.csv"},
	} {
		z := headers(t, raw{c.header, ""})
		files, err := readZip(strings.NewReader(z), int64(len(z)))
		if err != nil || len(files) != 1 || strings.Join(files[0].path, "/") != c.want {
			t.Errorf("%s: %v, %v; want %q", name, files, err, c.want)
		}
	}
}

// Links, pipes and folders without end in a folder that students write to.
func TestHostileFolder(t *testing.T) {
	course, dir := newCourse(t), t.TempDir()
	secret := filepath.Join(dir, "secret")
	write(t, dir, map[string]string{"secret": right("secret"), "in/ada/ps1.ipynb": right("ada"), "in/ada/big.bin": "", "in/bob/ps1.ipynb": right("bob")})
	in := filepath.Join(dir, "in")
	for name, make := range map[string]func(string) error{
		"ada/link.csv": func(n string) error { return os.Symlink(secret, n) },
		"ada/loop":     func(n string) error { return os.Symlink(in, n) },
		"ada/hard.csv": func(n string) error { return os.Link(secret, n) },
		"ada/pipe":     func(n string) error { return syscall.Mkfifo(n, 0o666) },
		"ada/big.bin":  func(n string) error { return os.Truncate(n, 1<<30) },
		"cy":           func(n string) error { return os.Symlink(dir, n) },
		"ada/" + strings.TrimSuffix(strings.Repeat("d/", 40), "/"): func(n string) error { return os.MkdirAll(n, 0o777) },
	} {
		must.Do(t, make(filepath.Join(in, name)))
	}
	res := collect(t, course, Options{Inputs: []string{in}})
	if got, want := names(t, course), []string{"ada/ps1/ps1.ipynb", "bob/ps1/ps1.ipynb"}; !slices.Equal(got, want) {
		t.Errorf("submitted/ has %q, want %q", got, want)
	}
	said := fmt.Sprint(record(t, course, "ada").Notes, res.Refused)
	for _, words := range []string{"link.csv is left out: it is a symbolic link", "loop is left out: it is a symbolic link", "hard.csv is left out: it is a hard link", "pipe is left out", "big.bin is left out: it has 1.0 GB", "folders deep", "cy: it is a symbolic link"} {
		if !strings.Contains(said, words) {
			t.Errorf("nothing says %q: %s", words, said)
		}
	}
	for file, text := range tree(t, course) {
		if text == right("secret") {
			t.Errorf("%s has what a link led to", file)
		}
	}
}

// A call that is told to stop stops, with what is done whole.
func TestInterrupt(t *testing.T) {
	course := newCourse(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	cancel(stop)
	_, err := Collect(ctx, Options{Course: open(t, course), Assignment: "ps1", Inputs: []string{zipped(t, entry{moodle + "ps1.ipynb", right("")})}})
	if !errors.Is(err, stop) {
		t.Errorf("error %v, want %v", err, stop)
	}
	if left := names(t, course); len(left) > 0 {
		t.Errorf("submitted/ has %q", left)
	}
}

// Whatever a zip is: reading it ends, says no path that leads out, and gives no more
// bytes than the limits allow.
func FuzzZip(f *testing.F) {
	f.Add([]byte(zipOf(f, entry{moodle + "ps1.ipynb", right("")}, entry{"a/b.zip", zipOf(f, entry{"x", "y"})})))
	f.Add([]byte(headers(f, storedEntry("../x", "y"), storedEntry("M\x81ller", "y"), deflatedEntry("z", "abcd", 1<<40, 0))))
	f.Add([]byte(headers(f, storedEntry("a", "b"))[:60]))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		files, err := readZip(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		var total int64
		for _, e := range files {
			if e.refused != "" {
				continue
			}
			if !filepath.IsLocal(strings.Join(e.path, "/")) {
				t.Errorf("path %q", e.path)
			}
			r, err := e.open()
			if err != nil {
				continue
			}
			n, _ := io.Copy(io.Discard, io.LimitReader(r, maxFile+1))
			r.Close()
			if total += n; n > max(e.size, 0) || n > maxFile {
				t.Errorf("%q: %d bytes, the header says %d", e.path, n, e.size)
			}
		}
		// No two entries share bytes, so deflate's ratio bounds them all.
		if total > 1100*int64(len(data)) {
			t.Errorf("%d bytes come out of %d", total, len(data))
		}
	})
}

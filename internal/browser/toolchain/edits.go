package toolchain

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"strings"
)

// quicken makes the linker faster. It no longer cleans the names of functions, which -s leaves out. It looks for zeros
// in data eight bytes at a time, and it allocates its output once.
func (o *overlay) quicken() error {
	return errors.Join(
		o.edit("link/internal/wasm/asm.go",
			[2]string{"var nameRegexp = regexp.MustCompile(`[^\\w.]`)\n", ""}, [2]string{`nameRegexp.ReplaceAllString(ldr.SymName(fn), "_")`, `""`},
			[2]string{"P := ldr.Data(fn)\n", "P := ldr.Data(fn)\nwfn.Grow(len(P) + 5*relocs.Count())\n"},
			[2]string{"// look for beginning of zeroes\n", "if segmentEnd, zeroEnd = segment(data, segmentOverhead); true {\nbreak\n}\n"}),
		o.edit("link/internal/ld/outbuf.go", [2]string{"out.heap = append(out.heap, make([]byte, lenNeeded-heapLen)...)", "out.grow(lenNeeded)"}),
	)
}

// edit replaces pieces of a file and drops the bodies that lean.go names. Each piece must occur exactly once.
func (o *overlay) edit(path string, edits ...[2]string) error {
	source, err := os.ReadFile(o.original(path))
	if err != nil {
		return err
	}
	text := string(source)
	for _, edit := range edits {
		if strings.Count(text, edit[0]) != 1 {
			return fmt.Errorf("%s has not once %q", path, edit[0])
		}
		text = strings.Replace(text, edit[0], edit[1], 1)
	}
	lean, err := withoutBodies(path, []byte(text), unused[path], idle[path])
	if err != nil {
		return err
	}
	return o.put(path, string(lean))
}

//go:embed added/*.txt
var added embed.FS

// addRests makes the compiler wait before it reads the package, and the linker before it loads main, if the host
// asks for that (package page, resting.js).
func (o *overlay) addRests() error {
	errs := []error{
		o.edit("compile/internal/gc/main.go", [2]string{"noder.LoadPackage(", "if wait := rest.Wanted(); wait != nil {\nwait()\n}\nnoder.LoadPackage("},
			[2]string{"import (\n", "import (\n\"cmd/internal/rest\"\n"}),
		o.edit("link/internal/loader/loader.go", [2]string{"gi := l.LookupOrCreateSym(name, v)", "if passOver != nil && passOver(r, ndef+i, name, v) {\ncontinue\n}\ngi := l.LookupOrCreateSym(name, v)"}),
		o.edit("link/internal/ld/lib.go", [2]string{"ctxt.loader.LoadSyms(ctxt.Arch)", "ctxt.loadSyms()"}),
	}
	for _, file := range [][2]string{
		{"rest_js", "internal/rest/rest_js"}, {"rest_other", "internal/rest/rest"}, {"wasm", "link/internal/wasm/segment"},
		{"loader", "link/internal/loader/resident"}, {"ld", "link/internal/ld/resident"},
	} {
		text, err := added.ReadFile("added/" + file[0] + ".go.txt")
		errs = append(errs, err, o.put(file[1]+".go", string(text)))
	}
	return errors.Join(errs...)
}

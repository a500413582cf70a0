package guest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
)

// memorySection has how much memory a module begins with (WebAssembly Core Specification 2.0, section 5.5.8).
const memorySection = 5

// More sections (5.5.3 and 5.5.14).
const (
	customSection = 0
	dataSection   = 11
)

// maxModule is the size of the largest module that is loaded, in bytes. One with all of gonum has 8 MB, and wazero takes
// some fifty bytes of memory for each.
const maxModule = 24 << 20

// ErrLarge is in the errors of Refuse that a program is at fault for.
var ErrLarge = errors.New("it is too large")

// Refuse says why the module in a file is not worth loading: it is too large, or begins with more memory
// than it may have (ErrLarge). Or it is not whole: Go's linker writes the sections in their order, and the one that names it last.
func Refuse(file string, limits Limits) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if info.Size() > maxModule {
		return &largeError{fmt.Sprintf("the program has %d MB, at most %d can be run", info.Size()>>20, maxModule>>20)}
	}
	wasm, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	limits = limits.defaults()
	last, found := []byte(nil), map[byte]bool{}
	err = sections(wasm, func(id byte, section []byte) error {
		found[id] = true
		if last = nil; id == customSection {
			last = section
		}
		if id != memorySection {
			return nil
		}
		_, n := binary.Uvarint(section) // one memory
		if n <= 0 || len(section) < n+1 {
			return errModule
		}
		pages, n := binary.Uvarint(section[n+1:]) // after the flag for a maximum
		if n <= 0 {
			return errModule
		}
		if pages > uint64(limits.Memory)*16 {
			return &largeError{fmt.Sprintf("its variables take %d MB of memory, it may have %d", pages/16, limits.Memory)}
		}
		return nil
	})
	if err == nil && !(found[memorySection] && found[exportSection] && found[codeSection] && found[dataSection] && bytes.Contains(last, []byte("producers"))) {
		err = errModule
	}
	return err
}

// A largeError says what is too large.
type largeError struct{ what string }

func (e *largeError) Error() string        { return e.what }
func (e *largeError) Is(target error) bool { return target == ErrLarge }

// sections visits the sections of a module.
func sections(wasm []byte, visit func(id byte, section []byte) error) error {
	if len(wasm) < 8 || string(wasm[:4]) != "\x00asm" {
		return errModule
	}
	for rest := wasm[8:]; len(rest) > 0; {
		size, n := binary.Uvarint(rest[1:])
		if n <= 0 || size > uint64(len(rest)-1-n) {
			return errModule
		}
		if err := visit(rest[0], rest[1+n:1+n+int(size)]); err != nil {
			return err
		}
		rest = rest[1+n+int(size):]
	}
	return nil
}

package guest

import (
	"encoding/binary"
	"fmt"
	"os"
)

// memorySection has how much memory a module begins with (WebAssembly Core Specification 2.0, section 5.5.8).
const memorySection = 5

// maxModule is the size of the largest module that is loaded, in bytes. One with all of gonum has 8 MB, and wazero takes
// some fifty bytes of memory for each.
const maxModule = 24 << 20

// Refuse says why the module in a file is not worth loading: it is too large, or begins with more memory
// than it may have.
func Refuse(file string, limits Limits) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if info.Size() > maxModule {
		return fmt.Errorf("the program has %d MB, at most %d can be run", info.Size()>>20, maxModule>>20)
	}
	wasm, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	limits = limits.defaults()
	return sections(wasm, func(id byte, section []byte) error {
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
			return fmt.Errorf("its variables take %d MB of memory, it may have %d", pages/16, limits.Memory)
		}
		return nil
	})
}

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

package guest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// Sections of a WebAssembly module (WebAssembly Core Specification 2.0, section 5.5).
const (
	globalSection = 6
	exportSection = 7
)

var errModule = errors.New("guest: not a WebAssembly module")

// exportGlobals returns a module that exports all its globals, as "global 0" and so on, and their
// number. Go's programs keep their registers there, and export none.
func exportGlobals(wasm []byte) ([]byte, int, error) {
	if len(wasm) < 8 || !bytes.HasPrefix(wasm, []byte("\x00asm")) {
		return nil, 0, errModule
	}
	out := append([]byte(nil), wasm[:8]...)
	globals := 0
	for rest := wasm[8:]; len(rest) > 0; {
		id := rest[0]
		size, n := binary.Uvarint(rest[1:])
		if n <= 0 || size > uint64(len(rest)-1-n) {
			return nil, 0, errModule
		}
		section := rest[1+n : 1+n+int(size)]
		switch id {
		case globalSection:
			count, n := binary.Uvarint(section)
			if n <= 0 || count > 64 {
				return nil, 0, errModule
			}
			globals = int(count)
		case exportSection:
			count, n := binary.Uvarint(section)
			if n <= 0 {
				return nil, 0, errModule
			}
			longer := binary.AppendUvarint(nil, count+uint64(globals))
			longer = append(longer, section[n:]...)
			for i := range globals {
				name := globalName(i)
				longer = append(append(append(longer, byte(len(name))), name...), 3, byte(i))
			}
			section = longer
		}
		out = append(binary.AppendUvarint(append(out, id), uint64(len(section))), section...)
		rest = rest[1+n+int(size):]
	}
	return out, globals, nil
}

func globalName(i int) string { return fmt.Sprint("global ", i) }

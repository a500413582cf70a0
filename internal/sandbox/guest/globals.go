package guest

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Sections of a WebAssembly module (WebAssembly Core Specification 2.0, section 5.5).
const (
	globalSection = 6
	exportSection = 7
)

var errModule = errors.New("guest: not a WebAssembly module, or not a whole one")

// exportGlobals returns a module that exports all its globals, as "global 0" and so on, and their
// number. Go's programs keep their registers there, and export none.
func exportGlobals(wasm []byte) ([]byte, int, error) {
	var out []byte
	globals := 0
	err := sections(wasm, func(id byte, section []byte) error {
		switch id {
		case globalSection:
			count, n := binary.Uvarint(section)
			if n <= 0 || count > 64 {
				return errModule
			}
			globals = int(count)
		case exportSection:
			count, n := binary.Uvarint(section)
			if n <= 0 {
				return errModule
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
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	return append(wasm[:8:8], out...), globals, nil
}

func globalName(i int) string { return fmt.Sprint("global ", i) }

package toolchain

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// exportGlobals has a WebAssembly program of Go's export its global variables, the registers, as r0, r1
// and so on. With them and the memory a host has all of a program that waits (WebAssembly Core
// Specification 2.0, section 5.5.10: exports).
func exportGlobals(program []byte) ([]byte, error) {
	const globals, exports, global = 6, 7, 3
	count := uint64(0)
	for at := 8; at < len(program); {
		size, n := binary.Uvarint(program[at+1:])
		body := at + 1 + n
		if n <= 0 || body+int(size) > len(program) {
			break
		}
		first, n := binary.Uvarint(program[body:])
		switch program[at] {
		case globals:
			count = first
		case exports:
			content := append(binary.AppendUvarint(nil, first+count), program[body+n:body+int(size)]...)
			for i := range count {
				name := fmt.Sprintf("r%d", i)
				content = append(append(append(content, byte(len(name))), name...), global)
				content = binary.AppendUvarint(content, i)
			}
			out := append(program[:at:at], exports)
			out = append(binary.AppendUvarint(out, uint64(len(content))), content...)
			return append(out, program[body+int(size):]...), nil
		}
		at = body + int(size)
	}
	return nil, errors.New("the program has no exports")
}

package guest

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"marginalia/internal/testkit/must"
)

// module is a module in binary form: sections by their numbers.
func module(parts map[byte]string) []byte {
	wasm := []byte("\x00asm\x01\x00\x00\x00")
	for id := range byte(12) {
		if s, ok := parts[id]; ok {
			wasm = append(binary.AppendUvarint(append(wasm, id), uint64(len(s))), s...)
		}
	}
	return wasm
}

// body is that of a function without locals, behind its size: two bytes more than the code has.
func body(code string) string {
	return string(binary.AppendUvarint(nil, uint64(len(code)+2))) + "\x00" + code + "\x0b"
}

// A module that uses all that takes fuel. Each function but empty has a parameter n.
var spends = map[byte]string{
	1: "\x02\x60\x00\x00\x60\x01\x7f\x00",                                                                                                             // types: (), (i32)
	2: "\x02\x0amarginalia\x05pause\x00\x00\x0amarginalia\x05other\x00\x00",                                                                           // functions 0 and 1
	3: "\x09\x01\x01\x01\x01\x01\x00\x01\x01\x01",                                                                                                     // types of functions 2 to 10
	5: "\x01\x00\x10",                                                                                                                                 // 1 MiB of memory
	6: "\x01\x7f\x01\x41\x00\x0b",                                                                                                                     // a global variable, as Go has them
	7: "\x08\x05loops\x00\x02\x05fills\x00\x03\x06copies\x00\x04\x05hosts\x00\x05\x05calls\x00\x06\x04wide\x00\x08\x05large\x00\x09\x05small\x00\x0a", // exports
	10: "\x09" + turns("") + body("\x41\x00\x41\x00\x20\x00\xfc\x0b\x00") + body("\x41\x00\x41\x00\x20\x00\xfc\x0a\x00\x00") +
		turns("\x10\x01") + body("\x10\x07") + body("") +
		turns(strings.Repeat("\x01", 513-len(turns("")))) + body(strings.Repeat("\x01", 1022)) + body(strings.Repeat("\x01", 253)),
}

// turns is a function with a loop: if n is not 0, it does code, takes one from n, and begins again.
func turns(code string) string {
	return body("\x03\x40\x20\x00\x04\x40" + code + "\x20\x00\x41\x01\x6b\x21\x00\x0c\x01\x0b\x0b")
}

// pause is called when what fuel is for has been done interval times, wherever compiled code can be for long.
func TestFueled(t *testing.T) {
	wasm := must.Get(fueled(module(spends))).Or(t)
	for _, c := range []struct {
		f           string
		n           uint64
		times, want int
	}{
		// With the fuel that is there at first, the header of a loop is passed interval times; n turns pass it n+1 times.
		{"loops", interval - 2, 1, 0},
		{"loops", interval - 1, 1, 1},
		{"loops", 3*interval - 1, 1, 3},
		{"loops", 3*interval - 2, 1, 2},
		{"loops", 0, interval, 1}, // in calls of the judge's
		{"calls", 0, interval - 1, 0},
		{"calls", 0, interval, 1},
		// A function of 512 bytes takes 1+512/256 for a turn, one of 1024 takes 5, without a loop too.
		{"wide", interval / 3, 1, 1},
		{"wide", interval/3 - 1, 1, 0},
		{"large", 0, interval/5 + 1, 1},
		{"large", 0, interval / 5, 0},
		{"small", 0, interval, 0}, // 255 bytes
		// 1 MiB takes 2^20/64 = 2^14 of the fuel, which lasts for 2^4 such pieces.
		{"fills", 1 << 20, interval >> 14, 1},
		{"fills", 1 << 20, interval>>14 - 1, 0},
		{"copies", 1 << 20, interval >> 13, 2},
		{"copies", 63, interval, 0},
		// Each call of the judge takes all, and the next turn pauses.
		{"hosts", 100, 1, 100},
	} {
		pauses, others := 0, 0
		ctx := context.Background()
		r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
		_, err := r.NewHostModuleBuilder("marginalia").
			NewFunctionBuilder().WithGoFunction(api.GoFunc(func(context.Context, []uint64) { pauses++ }), nil, nil).Export("pause").
			NewFunctionBuilder().WithGoFunction(api.GoFunc(func(context.Context, []uint64) { others++ }), nil, nil).Export("other").
			Instantiate(ctx)
		must.Do(t, err)
		m := must.Get(r.Instantiate(ctx, wasm)).Or(t)
		for range c.times {
			must.Get(m.ExportedFunction(c.f).Call(ctx, c.n)).Or(t)
		}
		if pauses != c.want {
			t.Errorf("%s(%d), %d times: %d pauses, want %d", c.f, c.n, c.times, pauses, c.want)
		}
		r.Close(ctx)
	}
}

// A module that is cut off anywhere, has an instruction that Go's compiler does not make, or no pause, is refused.
func TestFueledRefuses(t *testing.T) {
	for id, s := range spends {
		if id != importSection && id != codeSection {
			continue
		}
		for n := range len(s) {
			parts := map[byte]string{}
			for i, s := range spends {
				parts[i] = s
			}
			parts[id] = s[:n]
			if _, err := fueled(module(parts)); !errors.Is(err, errModule) {
				t.Errorf("%d bytes of section %d: %v", n, id, err)
			}
		}
	}
	for want, change := range map[string]func(map[byte]string){
		"instruction 0xfd":    func(parts map[byte]string) { parts[codeSection] = "\x01" + body("\xfd\x0c") },
		"instruction 0xfc 12": func(parts map[byte]string) { parts[codeSection] = "\x01" + body("\xfc\x0c\x00\x00") },
		errModule.Error():     func(parts map[byte]string) { parts[importSection] = "\x00" },
	} {
		parts := map[byte]string{}
		for i, s := range spends {
			parts[i] = s
		}
		change(parts)
		if _, err := fueled(module(parts)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

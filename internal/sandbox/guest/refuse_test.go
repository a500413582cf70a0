package guest_test

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/sandbox/guest"
)

// Refuse finds a module that begins with too much memory, a file that is no module, one that is too large, and what a full disk leaves of one.
func TestRefuse(t *testing.T) {
	module := func(pages uint64) []byte {
		section := binary.AppendUvarint([]byte{1, 0}, pages) // one memory without maximum
		b := append(append([]byte("\x00asm\x01\x00\x00\x00"), 5, byte(len(section))), section...)
		return append(append(b, 7, 1, 0, 10, 1, 0, 11, 1, 0, 0, 10, 9), "producers"...) // exports, code, data: none
	}
	whole := module(16)
	for want, wasm := range map[string][]byte{
		"":                             whole, // 16 pages of 64 KiB
		"take 2 MB of memory":          module(32),
		"not a WebAssembly module":     []byte("#!/bin/sh"),
		"not a WebAssembly module, or": whole[:len(whole)-12],                                            // without its last section
		"or not a whole one":           append(whole[:len(whole)-12:len(whole)-12], make([]byte, 12)...), // with zeros in its place
		"not a whole one":              whole[:len(whole)-1],
		"a whole one":                  nil,
		"at most 24":                   make([]byte, 25<<20),
	} {
		file := filepath.Join(t.TempDir(), "guest.wasm")
		if err := os.WriteFile(file, wasm, 0o600); err != nil {
			t.Fatal(err)
		}
		err := guest.Refuse(file, guest.Limits{Memory: 1})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v, want %q", err, want)
		}
		if large := want == "take 2 MB of memory" || want == "at most 24"; errors.Is(err, guest.ErrLarge) != large {
			t.Errorf("%v is the program's fault: %t", err, !large)
		}
	}
}

package guest_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/guest"
)

// Refuse finds a module that begins with too much memory, a file that is no module, and one that is too large.
func TestRefuse(t *testing.T) {
	module := func(pages uint64) []byte {
		section := binary.AppendUvarint([]byte{1, 0}, pages) // one memory without maximum
		return append(append([]byte("\x00asm\x01\x00\x00\x00"), 5, byte(len(section))), section...)
	}
	for want, wasm := range map[string][]byte{
		"":                     module(16), // of 64 KiB
		"take 2 MB of memory":  module(32),
		"not a WebAssembly mo": []byte("#!/bin/sh"),
		"at most 24":           make([]byte, 25<<20),
	} {
		file := filepath.Join(t.TempDir(), "guest.wasm")
		if err := os.WriteFile(file, wasm, 0o600); err != nil {
			t.Fatal(err)
		}
		err := guest.Refuse(file, guest.Limits{Memory: 1})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

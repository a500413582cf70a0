//go:build !noasm

package simd

const neon level = 1 // vectors of 16 bytes

var names = map[string]level{"off": scalar, "neon": neon}

// best returns neon: every arm64 processor on which Go runs has it.
func best() level { return neon }

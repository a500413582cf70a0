package guest

import (
	"bytes"
	"errors"
	"math/rand/v2"

	"github.com/tetratelabs/wazero/api"
)

// A snapshot is the state of a guest between two calls: all that WebAssembly lets a program keep, and
// where its world was.
type snapshot struct {
	memory  []byte
	globals []uint64
	clock   int64
	random  rand.PCG
	output  string
	tail    []byte
}

// maxGrown is how far beyond its first size the memory of a guest that is used again may have grown.
// The restored program does not know that it has grown, and lets it grow anew, up to the limit.
const maxGrown = 8 << 20

// pageSize is that of WebAssembly, in bytes.
const pageSize = 1 << 16

var errMemory = errors.New("guest: the memory can't be reached")

func takeSnapshot(in *Instance) (*snapshot, error) {
	memory, ok := in.module.Memory().Read(0, in.module.Memory().Size())
	if !ok {
		return nil, errMemory
	}
	s := &snapshot{memory: bytes.Clone(memory), clock: in.world.clock, random: in.world.random, output: in.Output(), tail: bytes.Clone(in.world.out.err.tail.b)}
	for i := range in.engine.globals {
		s.globals = append(s.globals, in.module.ExportedGlobal(globalName(i)).Get())
	}
	return s, nil
}

// restore brings an instance to the state, a new one or one that was used. What its memory has grown by is empty, as
// memory is that a program gets.
func (s *snapshot) restore(in *Instance) error {
	in.world.clock, in.world.random = s.clock, s.random
	in.world.out.reset(in.limits.Output)
	in.world.out.Write([]byte(s.output))
	in.world.out.err.tail.Write(s.tail)
	all := in.module.Memory()
	if size := uint32(len(s.memory)); all.Size() < size {
		if _, ok := all.Grow((size - all.Size()) / pageSize); !ok {
			return errMemory
		}
	}
	memory, ok := all.Read(0, all.Size())
	if !ok {
		return errMemory
	}
	clear(memory[copy(memory, s.memory):])
	for i, v := range s.globals {
		if g, ok := in.module.ExportedGlobal(globalName(i)).(api.MutableGlobal); ok {
			g.Set(v)
		}
	}
	return nil
}

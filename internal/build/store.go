package build

import (
	"bufio"
	"encoding/gob"
	"io"
	"os"
	"path/filepath"
	"time"

	"marginalia/internal/base/atomicfile"
)

// version is that of the form in which graphs are stored.
const version = "1"

func (b *Builder) path(key string) string { return filepath.Join(b.Dir, key+"-"+version+".gob") }

// load returns the graph that a process has stored under a key, nil if there is none.
func (b *Builder) load(key string) *graph {
	if b.Dir == "" {
		return nil
	}
	f, err := os.Open(b.path(key))
	if err != nil {
		return nil
	}
	defer f.Close()
	g := new(graph)
	if gob.NewDecoder(bufio.NewReader(f)).Decode(g) != nil {
		return nil
	}
	return g
}

// save stores a graph, and removes those that last no longer.
func (b *Builder) save(key string, g *graph) error {
	if b.Dir == "" {
		return nil
	}
	if err := os.MkdirAll(b.Dir, 0o755); err != nil {
		return err
	}
	entries, _ := os.ReadDir(b.Dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > lasting {
			_ = os.Remove(filepath.Join(b.Dir, e.Name()))
		}
	}
	return atomicfile.Stream(b.path(key), func(w io.Writer) error { return gob.NewEncoder(w).Encode(g) })
}

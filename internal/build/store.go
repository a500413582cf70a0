package build

import (
	"bufio"
	"crypto/sha256"
	"encoding/gob"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/base/setup"
)

// Off reports whether the environment leaves everything to the go command.
func Off() bool { return os.Getenv("MARGINALIA_BUILDER") == "off" }

// Users returns a Builder that shares what is learned with all processes of this user. It does nothing if
// it is Off.
func Users() *Builder {
	b := &Builder{off: Off()}
	if cache, err := setup.Cache(); err == nil {
		b.Dir = filepath.Join(cache, "build")
	}
	return b
}

// version is that of what is learned. Count it up with each change of that: graphs of an older
// builder may hold for less.
const version = "4"

// path returns the file of a graph. What holds for one folder of a module has that folder, root, in its name.
func (b *Builder) path(key, root string) string {
	if root != "" {
		key += fmt.Sprintf("-%x", sha256.Sum256([]byte(root)))[:17]
	}
	return filepath.Join(b.Dir, key+"-"+version+".gob")
}

// load returns the graph that a process has stored, nil if there is none.
func (b *Builder) load(key, root string) *graph {
	if b.Dir == "" {
		return nil
	}
	f, err := os.Open(b.path(key, root))
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
func (b *Builder) save(key, root string, g *graph) error {
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
	return atomicfile.Stream(b.path(key, root), func(w io.Writer) error { return gob.NewEncoder(w).Encode(g) })
}

package build

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// A making is a program that is being made, in a folder of its own.
type making struct {
	*job
	key  string // makings of the same program have the same
	ctx  context.Context
	end  context.CancelFunc
	dir  string
	made chan struct{} // closed when it is made; then err says whether it is
	err  error
}

// begin prepares the making of a program.
func (j *job) begin(ctx context.Context) *making {
	m := &making{job: j, key: j.key(), made: make(chan struct{})}
	m.ctx, m.end = context.WithCancel(ctx)
	return m
}

// key tells programs apart: the files, their folder, and how they are built.
func (j *job) key() string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q\n", j.place.key, j.place.program, j.command.Dir)
	for _, name := range slices.Sorted(maps.Keys(j.files)) {
		fmt.Fprintf(h, "%q %q\n", name, j.files[name])
	}
	return string(h.Sum(nil))
}

func (m *making) program() string { return filepath.Join(m.dir, "program") }

// make makes the program.
func (m *making) make() {
	defer close(m.made)
	if m.dir, m.err = os.MkdirTemp(filepath.Dir(m.file), ".building-"); m.err != nil {
		return
	}
	if m.err = m.compile(m.ctx, m.dir, m.program()); m.err != nil && !m.there() {
		m.entry.forget(m.graph)
	}
}

// remove ends the making and removes its folder.
func (m *making) remove() {
	m.end()
	<-m.made
	if m.dir != "" {
		_ = os.RemoveAll(m.dir)
	}
}

// most is how many programs may wait to be asked for. One with a figure takes 8 MB.
const most = 8

// Ahead builds a program that Build will soon be asked for, in the folder of the command and with
// these files. It returns when that is done, or at once if it is not sure, or has begun to already.
func (b *Builder) Ahead(ctx context.Context, c Command, files map[string][]byte) {
	j := b.job(c, files)
	if j == nil {
		return
	}
	m := j.begin(ctx)
	b.mu.Lock()
	if slices.ContainsFunc(b.ahead, func(other *making) bool { return other.key == m.key && other.graph == m.graph }) {
		b.mu.Unlock()
		return
	}
	b.ahead = append(b.ahead, m)
	var old []*making
	if len(b.ahead) > most {
		old, b.ahead = b.ahead[:1], slices.Clone(b.ahead[1:])
	}
	b.mu.Unlock()
	for _, m := range old {
		go m.remove()
	}
	m.make()
}

// claim returns the making of a program that was begun ahead, nil if there is none. Then others for
// the same folder are likely to be wrong, too, and end.
func (b *Builder) claim(j *job) *making {
	key := j.key()
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := slices.IndexFunc(b.ahead, func(m *making) bool { return m.key == key && m.graph == j.graph }); i >= 0 {
		m := b.ahead[i]
		b.ahead = slices.Delete(b.ahead, i, i+1)
		return m
	}
	b.ahead = slices.DeleteFunc(b.ahead, func(m *making) bool {
		wrong := m.place == j.place && m.command.Dir == j.command.Dir
		if wrong {
			go m.remove()
		}
		return wrong
	})
	return nil
}

package build

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// A Making is a program that is being made, in a folder of its own.
type Making struct {
	*job
	key  string // makings of the same program have the same
	ctx  context.Context
	end  context.CancelFunc
	once sync.Once
	dir  string
	err  error // set when it is made
}

// begin prepares the making of a program.
func (j *job) begin(ctx context.Context) *Making {
	m := &Making{job: j, key: j.key(), err: errors.New("build: not made")}
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

func (m *Making) program() string { return filepath.Join(m.dir, "program") }

// Make makes the program, unless that is no longer wanted, and returns when it is made, by whomever.
func (m *Making) Make() {
	m.once.Do(func() {
		if m.dir, m.err = os.MkdirTemp(filepath.Dir(m.file), ".building-"); m.err != nil {
			return
		}
		if m.err = m.compile(m.ctx, m.dir, m.program()); m.err != nil && !m.there() {
			m.entry.forget(m.graph)
		}
	})
}

// remove ends the making and removes its folder.
func (m *Making) remove() {
	m.end()
	m.once.Do(func() {})
	if m.dir != "" {
		_ = os.RemoveAll(m.dir)
	}
}

// most is how many programs may wait to be asked for. One with a figure takes 10 MB.
const most = 8

// Ahead prepares a program that Build will soon be asked for, in the folder of the command and with
// these files. It returns nil if it is not sure, or has been asked for the same already.
func (b *Builder) Ahead(ctx context.Context, c Command, files map[string][]byte) *Making {
	j := b.job(c, files, false) // Build looks again
	if j == nil {
		return nil
	}
	m := j.begin(ctx)
	b.mu.Lock()
	defer b.mu.Unlock()
	if slices.ContainsFunc(b.ahead, func(other *Making) bool { return other.key == m.key && other.graph == m.graph }) {
		return nil
	}
	b.ahead = append(b.ahead, m)
	if len(b.ahead) > most {
		go b.ahead[0].remove()
		b.ahead = slices.Clone(b.ahead[1:])
	}
	return m
}

// Drop ends what was begun ahead and not asked for.
func (b *Builder) Drop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range b.ahead {
		go m.remove()
	}
	b.ahead = nil
}

// claim returns the making of a program that was begun ahead, nil if there is none. Then others for
// the same folder are likely to be wrong, too, and end.
func (b *Builder) claim(j *job) *Making {
	key := j.key()
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := slices.IndexFunc(b.ahead, func(m *Making) bool { return m.key == key && m.graph == j.graph }); i >= 0 {
		m := b.ahead[i]
		b.ahead = slices.Delete(b.ahead, i, i+1)
		return m
	}
	b.ahead = slices.DeleteFunc(b.ahead, func(m *Making) bool {
		wrong := m.place == j.place && m.command.Dir == j.command.Dir
		if wrong {
			go m.remove()
		}
		return wrong
	})
	return nil
}

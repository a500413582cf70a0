// Package update brings new lectures, and their changes into the copies that readers work in:
// "go run . update".
//
// JupyterLab saves what a reader does in a lecture to a copy below notebooks/own, and leaves the
// lecture's own file alone (install/lab's contents.py). So a git pull never meets changes of the
// reader's. A copy says in its metadata which lecture it is of, and which version it was made
// from. [Run] merges into it what has changed in the lecture since (notebook/merge).
//
//	own/lectures/01-perceptron.ipynb   the copy of lecture 1
//	own/exercises/01-perceptron.ipynb  that of its exercises
//	own/backups/…                      copies as they were before a merge, the last five of each
//	own/.bases/SUM.ipynb               the versions that copies and backups were made from
//	own/.lock                          held by who reads a copy in order to change it
//	.git/marginalia-update             held by an update from before it fetches to its end
//
// Whatever happens, a copy is the old one or the new one, and every file of a reader's that is
// replaced is among the backups.
package update

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/notebook/merge"
	"marginalia/internal/notebook/nbformat"
)

// Options say what to update.
type Options struct {
	Root  string // of the repository
	Check bool   // say what would happen, and change no file

	Say      func(line string) // what was done
	Complain func(line string) // what could not be done, with the remedy
	Now      func() time.Time  // nil is time.Now
}

// ErrIncomplete says that something could not be done. Complain was told what.
var ErrIncomplete = errors.New("update: not everything could be updated")

// Run takes what was changed in lectures themselves out of them into copies, pulls from git, and
// merges into each copy what is new in its lecture.
func Run(ctx context.Context, o Options) error {
	u := &updater{Options: o, ctx: ctx, notebooks: filepath.Join(o.Root, "notebooks"), moved: map[string][]byte{}, release: func() {}}
	defer func() { u.release() }()
	u.own = filepath.Join(u.notebooks, "own")
	if u.Now == nil {
		u.Now = time.Now
	}
	if err := u.pull(); err != nil {
		return err
	}
	names, err := u.copies()
	if err != nil {
		return err
	}
	same, changed := 0, 0
	for _, name := range names {
		switch state, err := u.update(name); {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			u.complain("%s stays as it is: %v", shown(name), err)
		case state == unchanged:
			same++
		case state == merged:
			changed++
		}
	}
	if changed > 0 && !u.Check {
		u.say("if one of them is open in JupyterLab: File › Reload Notebook from Disk")
	}
	if same > 0 {
		u.say("copies with all that is in their lectures: %d", same)
	}
	if !u.Check {
		err = u.prune()
	}
	if err == nil && u.incomplete {
		err = ErrIncomplete
	}
	return err
}

// An updater is one run.
type updater struct {
	Options
	ctx            context.Context
	notebooks, own string            // folders
	incoming       string            // in a dry run the commit that the lectures would be of, "" if there is no git
	moved          map[string][]byte // in a dry run the copies that would be made, by their names in own
	incomplete     bool
	release        func() // lets another update run
}

func (u *updater) say(format string, args ...any) { u.Say(fmt.Sprintf(format, args...)) }

func (u *updater) complain(format string, args ...any) {
	u.incomplete = true
	u.Complain(fmt.Sprintf(format, args...))
}

// step is called between two things that are written, where a test ends the program.
var step = func(done string) {}

// shown is the name that messages have for a file in own.
func shown(name string) string { return filepath.Join("notebooks", "own", name) }

// lecture returns the new version of a lecture, with the line ends that git gives to its file.
func (u *updater) lecture(of string) ([]byte, error) {
	if u.incoming != "" {
		return u.git("cat-file", "--filters", u.incoming+":notebooks/"+of)
	}
	return os.ReadFile(filepath.Join(u.notebooks, filepath.FromSlash(of)))
}

// What became of a notebook in own.
const (
	noCopy    = iota // it is a notebook of the reader's
	unchanged        // nothing is new in its lecture
	merged
)

// update merges what is new in the lecture into the copy name.
func (u *updater) update(name string) (state int, err error) {
	unlock, err := u.lock()
	if err != nil {
		return noCopy, err
	}
	defer unlock()
	data, ahead := u.moved[name]
	if !ahead {
		if data, err = os.ReadFile(filepath.Join(u.own, name)); err != nil {
			return noCopy, err
		}
	}
	ours, of, sum, err := decode(data)
	if err != nil || of == "" {
		return noCopy, err
	}
	now, err := u.lecture(of)
	switch {
	case err != nil:
		return noCopy, fmt.Errorf("the lecture %s is no longer there", of)
	case blob(now) == sum:
		return unchanged, nil
	}
	was := u.base(sum)
	if was == nil {
		return noCopy, fmt.Errorf("the version of %s that it was made from is nowhere: to begin anew with the lecture, give the copy another name", of)
	}
	result, words, err := mergeFiles(was, now, ours, of)
	switch {
	case err != nil:
		return noCopy, err
	case u.Check:
		u.say("%s would take from its lecture: %s", shown(name), words)
		return merged, nil
	}
	backup, err := u.backup(name, data)
	if err == nil {
		step("backup")
		err = u.keepBase(now)
	}
	if err == nil {
		err = atomicfile.Write(filepath.Join(u.own, name), result)
	}
	if err != nil {
		return noCopy, err
	}
	step("merged")
	u.say("%s has taken from its lecture: %s (as it was: %s)", shown(name), words, shown(backup))
	return merged, nil
}

// mergeFiles merges into ours, a copy of a lecture, what has changed from was to now in the
// lecture's file. It returns the copy's new file and what was done.
func mergeFiles(was, now []byte, ours *nbformat.Notebook, of string) ([]byte, string, error) {
	base, err := nbformat.Decode(was)
	if err != nil {
		return nil, "", fmt.Errorf("the version of %s that it was made from: %w", of, err)
	}
	theirs, err := nbformat.Decode(now)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", of, err)
	}
	nb, changes := merge.Notebooks(base, ours, theirs)
	result, err := encode(nb, of, blob(now))
	return result, words(changes), err
}

// words says what a merge did.
func words(c merge.Changes) string {
	var parts []string
	for _, p := range []struct {
		ids  []string
		what string
	}{
		{c.New, "new"},
		{c.Changed, "changed"},
		{c.Removed, "removed"},
		{c.Returned, "deleted by you, changed there and therefore back"},
		{c.Kept, "removed there, changed by you and therefore kept"},
		{c.Clashes, "changed there and by you, so that both versions stand in the copy"},
	} {
		if n := len(p.ids); n > 3 {
			p.ids = append(slices.Clone(p.ids[:3]), fmt.Sprintf("%d more", n-3))
		}
		if len(p.ids) > 0 {
			parts = append(parts, fmt.Sprintf("%s (%s)", p.what, strings.Join(p.ids, ", ")))
		}
	}
	if parts == nil {
		return "outputs, order or metadata"
	}
	return "cells " + strings.Join(parts, "; ")
}

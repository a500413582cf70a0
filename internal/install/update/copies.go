package update

import (
	"bytes"
	"crypto/sha1"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/base/lockfile"
	"marginalia/internal/notebook/nbformat"
)

// These names, and that of the metadata, are those of install/lab's contents.py, too.
const (
	lockName  = ".lock"
	basesName = ".bases"
	mark      = "copy" // in metadata.marginalia: {"of": the lecture's path, "base": the sum of its version}
)

const (
	backupsName = "backups"
	keptBackups = 5 // of each copy
)

// copyOf returns where in own the copy of a lecture is. Lectures have a folder of their own,
// since exercises and solutions have the same names.
func copyOf(of string) string {
	if path.Dir(of) == "." {
		of = "lectures/" + of
	}
	return filepath.FromSlash(of)
}

// blob returns git's name for a file with this content, by which a version is found in git.
func blob(data []byte) string {
	return fmt.Sprintf("%x", sha1.Sum(append(fmt.Appendf(nil, "blob %d\x00", len(data)), data...)))
}

// decode reads a copy. The lecture that it is of is "" if it is none.
func decode(data []byte) (nb *nbformat.Notebook, of, base string, err error) {
	if nb, err = nbformat.Decode(data); err != nil {
		return nil, "", "", err
	}
	ours, _ := nb.Metadata["marginalia"].(map[string]any)
	if copied, ok := ours[mark].(map[string]any); ok {
		of, _ = copied["of"].(string)
		base, _ = copied["base"].(string)
		if delete(ours, mark); len(ours) == 0 {
			delete(nb.Metadata, "marginalia")
		}
	}
	if of != "" && !filepath.IsLocal(filepath.FromSlash(of)) {
		return nil, "", "", fmt.Errorf("its metadata says that it is a copy of %q, which is no lecture", of)
	}
	return nb, of, base, nil
}

// encode returns a copy's file.
func encode(nb *nbformat.Notebook, of, base string) ([]byte, error) {
	ours, _ := nb.Metadata["marginalia"].(map[string]any)
	if ours == nil {
		ours = map[string]any{}
		nb.Metadata["marginalia"] = ours
	}
	ours[mark] = map[string]any{"of": of, "base": base}
	return nb.Encode()
}

// copies returns the notebooks in own, which may be copies, by their paths in it.
func (u *updater) copies() ([]string, error) {
	names, err := u.below(".", map[string]bool{})
	names = slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, backupsName+string(filepath.Separator)) })
	names = slices.AppendSeq(names, maps.Keys(u.moved))
	slices.Sort(names)
	return names, err
}

// below returns the notebooks in a folder of own and in those below it that are not hidden, by their
// paths in own, in order. Links are followed, since JupyterLab does: what lies on another disk is
// the reader's, too. seen are the folders that were read.
func (u *updater) below(folder string, seen map[string]bool) (names []string, err error) {
	real, err := filepath.EvalSymlinks(filepath.Join(u.own, folder))
	if errors.Is(err, fs.ErrNotExist) || err == nil && seen[real] {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	seen[real] = true
	entries, err := os.ReadDir(real)
	for _, e := range entries {
		name := filepath.Join(folder, e.Name())
		info, failed := os.Stat(filepath.Join(u.own, name))
		switch {
		case failed != nil && e.Type()&fs.ModeSymlink != 0 || errors.Is(failed, fs.ErrNotExist): // a link to nothing
		case failed != nil:
			err = errors.Join(err, failed)
		case info.IsDir() && !strings.HasPrefix(e.Name(), "."):
			more, failed := u.below(name, seen)
			names, err = append(names, more...), errors.Join(err, failed)
		case info.Mode().IsRegular() && filepath.Ext(name) == ".ipynb":
			names = append(names, name)
		}
	}
	return names, err
}

func (u *updater) baseFile(sum string) string {
	return filepath.Join(u.own, basesName, sum+".ipynb")
}

// base returns the version of a lecture with this sum, nil if it is nowhere.
func (u *updater) base(sum string) []byte {
	if len(sum) != 40 || strings.Trim(sum, "0123456789abcdef") != "" {
		return nil
	}
	if data, err := os.ReadFile(u.baseFile(sum)); err == nil && blob(data) == sum {
		return data
	}
	if data, err := u.git("cat-file", "blob", sum); err == nil && blob(data) == sum {
		return data
	}
	return nil
}

// keepBase keeps a version of a lecture beside the copies that are made from it.
func (u *updater) keepBase(data []byte) error {
	file := u.baseFile(blob(data))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(file, data)
}

// backup keeps a copy as it is, and returns its name in own.
func (u *updater) backup(name string, data []byte) (string, error) {
	folder := filepath.Join(backupsName, filepath.Dir(name))
	if err := os.MkdirAll(filepath.Join(u.own, folder), 0o755); err != nil {
		return "", err
	}
	for at := u.Now().UTC(); ; at = at.Add(time.Second) {
		backup := filepath.Join(folder, strings.TrimSuffix(filepath.Base(name), ".ipynb")+at.Format("-2006-01-02T150405Z.ipynb"))
		if _, err := os.Lstat(filepath.Join(u.own, backup)); errors.Is(err, fs.ErrNotExist) { // the lock is ours
			return backup, atomicfile.Write(filepath.Join(u.own, backup), data)
		}
	}
}

var dated = regexp.MustCompile(`-\d{4}-\d\d-\d\dT\d{6}Z\.ipynb$`)

// prune removes backups beyond the last few, and versions that neither a copy nor a backup was
// made from. A page of JupyterLab that has a copy open from before a merge may save it: its
// version is that of the backup, so it is there.
func (u *updater) prune() error {
	if _, err := os.Stat(u.own); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	unlock, err := u.lock()
	if err != nil {
		return err
	}
	defer unlock()
	baseOf, unread := map[string]string{}, false // by notebook
	last := map[string][]string{}                // backups of each copy, in the order of their times
	names, err := u.below(".", map[string]bool{})
	if err != nil {
		return err
	}
	for _, name := range names {
		p := filepath.Join(u.own, name)
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		_, _, base, err := decode(data)
		baseOf[p], unread = base, unread || err != nil // what cannot be read may be mended
		if strings.HasPrefix(name, backupsName+string(filepath.Separator)) && dated.MatchString(p) {
			of := dated.ReplaceAllString(p, "")
			last[of] = append(last[of], p)
		}
	}
	for _, files := range last {
		for _, file := range files[:max(0, len(files)-keptBackups)] {
			err = errors.Join(err, os.Remove(file))
			delete(baseOf, file)
		}
	}
	used := slices.Collect(maps.Values(baseOf))
	bases, _ := os.ReadDir(filepath.Join(u.own, basesName)) // there may be none
	for _, file := range bases {
		if sum, ok := strings.CutSuffix(file.Name(), ".ipynb"); ok && !unread && !slices.Contains(used, sum) {
			err = errors.Join(err, os.Remove(u.baseFile(sum)))
		}
	}
	return err
}

// lock holds the copies, so that JupyterLab saves none meanwhile. A dry run needs no lock.
func (u *updater) lock() (unlock func(), err error) {
	if u.Check {
		return func() {}, nil
	}
	f, err := lockfile.Take(u.ctx, filepath.Join(u.own, lockName), lockfile.Exclusive, nil)
	if err != nil {
		return nil, err
	}
	return func() { f.Close() }, nil
}

// toCopy puts data, the changed file of a lecture whose version in git is was, into own, and
// returns its name there.
func (u *updater) toCopy(of string, was, data []byte) (string, error) {
	unlock, err := u.lock()
	if err != nil {
		return "", err
	}
	defer unlock()
	copied := data // what is no notebook is kept as it is
	if nb, from, sum, err := decode(data); err == nil {
		if from != of || u.base(sum) == nil { // else a copy was put over the lecture
			sum = blob(was)
		}
		if copied, err = encode(nb, of, sum); err != nil {
			return "", err
		}
	}
	stem, name := strings.TrimSuffix(copyOf(of), ".ipynb"), copyOf(of)
	for n := 2; ; n++ {
		there, err := os.ReadFile(filepath.Join(u.own, name))
		if ahead, ok := u.moved[name]; ok {
			there, err = ahead, nil
		}
		if err == nil && bytes.Equal(there, copied) { // written by an update that was killed
			return name, nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return "", err
		}
		name = fmt.Sprintf("%s-%d.ipynb", stem, n)
	}
	if u.Check {
		u.moved[name] = copied
		return name, nil
	}
	if err := u.keepBase(was); err != nil {
		return "", err
	}
	path := filepath.Join(u.own, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	err = atomicfile.Write(path, copied)
	step("copied")
	return name, err
}

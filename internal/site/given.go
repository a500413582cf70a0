package site

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/base/mnistfiles"
	gopage "marginalia/internal/browser/page"
	"marginalia/internal/notebook/nbformat"
)

// Cells read files that the site has: of a course those that its notebooks' code names, and MNIST if it was there
// when the site was made. A page loads one when a program opens it.

const (
	givenList   = "go/given.json" // names them
	mnistFolder = "mnist"         // in the folder go
	cellFolder  = "/notebooks"    // has the folder of the book, in the kernel's files
)

// mostGiven are the bytes of a course's files that cells read: the lab loads them all before its first cell runs.
const mostGiven = 32 << 20

// giveFiles adds the files to the site, and the list of them.
func (s *stage) giveFiles() error {
	if err := s.book.findReadable(); err != nil {
		return err
	}
	s.run.given = slices.Clone(s.run.mnist)
	for _, rel := range s.book.readable {
		file, err := s.copied(rel)
		if err != nil {
			return err
		}
		s.run.given = append(s.run.given, gopage.Given{Path: path.Join(cellFolder, rel), URL: relative(givenList, file), Size: int64(len(s.files[file]))})
	}
	if len(s.run.given) == 0 {
		return nil
	}
	text, err := json.Marshal(s.run.given)
	s.file(givenList, text)
	return err
}

// read are the files of a course that its programs may read.
func (s *stage) read() []string {
	all := slices.Concat(s.living.read, s.book.readable)
	slices.Sort(all)
	return slices.Compact(all)
}

// findReadable finds the files that a course's cells may read. If they are too large together, the largest are
// left out.
func (b *book) findReadable() error {
	sizes := map[string]int64{}
	for _, file := range b.goNotebooks() {
		nb, err := nbformat.Read(file)
		if err != nil {
			return err
		}
		for _, rel := range b.named(nb, filepath.Dir(file)) {
			info, err := os.Stat(b.at(rel))
			if err != nil {
				return err
			}
			sizes[rel] = info.Size()
		}
	}
	rels := slices.SortedFunc(maps.Keys(sizes), func(x, y string) int { return cmp.Or(cmp.Compare(sizes[x], sizes[y]), cmp.Compare(x, y)) })
	b.readable = nil
	left := int64(mostGiven)
	for _, rel := range rels {
		if left -= sizes[rel]; left < 0 {
			b.faults = append(b.faults, fmt.Errorf("%s: cells in pages can't read it: it has %.1f MB, and with smaller ones the files that the code of notebooks names have more than %d MB", rel, float64(sizes[rel])/1e6, mostGiven>>20))
			continue
		}
		b.readable = append(b.readable, rel)
	}
	slices.Sort(b.readable)
	return nil
}

// named are the files of the book that strings in a notebook's code name: by their paths, or as a folder or a pattern
// with * or verbs of package fmt. A notebook is none, nor the folder of the course or one with the notebook. A word
// without a slash names no folder.
func (b *book) named(nb *nbformat.Notebook, dir string) (rels []string) {
	add := func(file string) {
		real, err := filepath.EvalSymlinks(file)
		if err != nil {
			return
		}
		info, err := os.Stat(real)
		if rel := b.rel(real); err == nil && info.Mode().IsRegular() && b.holds(rel) && path.Ext(rel) != ".ipynb" {
			rels = append(rels, rel)
		}
	}
	for name := range literals(nb) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		add(file)
		if pattern := verb.ReplaceAllString(name, "*"); strings.Contains(pattern, "*") && !strings.Contains(path.Ext(pattern), "*") && path.Ext(pattern) != "" {
			found, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern))) // the error is of a pattern
			for _, file := range found {
				add(file)
			}
		}
		if rel, err := filepath.Rel(file, dir); !strings.Contains(name, "/") || err != nil || filepath.IsLocal(rel) || !b.holds(b.rel(file)+"/x") {
			continue
		}
		_ = filepath.WalkDir(file, func(file string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				add(file)
			}
			return nil
		})
	}
	slices.Sort(rels)
	return slices.Compact(rels)
}

// verb is one of package fmt.
var verb = regexp.MustCompile(`%[-+# 0]*[0-9]*(?:\.[0-9]+)?[a-zA-Z]`)

// packMNIST compresses the files of MNIST into a folder, if $MARGINALIA_DATA names a folder that has them.
func packMNIST(dir string) (given []gopage.Given, err error) {
	found := map[string]string{}
	for _, f := range mnistfiles.Files {
		if file, ok := f.Find(""); ok {
			found[f.Name] = file
		}
	}
	if len(found) < len(mnistfiles.Files) {
		return nil, os.RemoveAll(dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for _, f := range mnistfiles.Files {
		name := f.Sum[:20] + ".gzip" // a server would say of .gz that it is packed, and browsers would unpack it
		given = append(given, gopage.Given{Path: path.Join(mnistAt, f.Name), URL: path.Join(mnistFolder, name), Size: f.Size, Packed: true})
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			continue
		}
		content, err := f.Read(found[f.Name])
		if err != nil {
			return nil, err
		}
		var packed bytes.Buffer
		z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		if err == nil {
			_, err = z.Write(content)
		}
		if err == nil {
			err = z.Close()
		}
		if err == nil {
			err = atomicfile.Write(filepath.Join(dir, name), packed.Bytes())
		}
		if err != nil {
			return nil, err
		}
	}
	return given, nil
}

// mnistAt is where package datasets finds the files in a page: in the user's cache, and HOME is that of
// internal/browser/kernel.
const mnistAt = "/home/.cache/marginalia/mnist"

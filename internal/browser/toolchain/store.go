package toolchain

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"marginalia/internal/browser/manifest"
)

// end ends the names of compressed files.
const end = ".lzma"

// packer compresses with the LZMA of Python's standard library. Go's has none, and deflate makes a page
// load half as much again: 15 MB before it prints anything, 10 MB with LZMA.
//
//go:embed pack.py
var packer string

// A store is a folder with compressed files, each named by the hash of its content. What is there
// already is not compressed again.
type store struct {
	dir, tmp string
	others   []string // folders of this user that may have packed the same
	used     map[string]bool
	wanted   strings.Builder // for the packer
}

// newStore returns the store of a folder, which exists.
func newStore(dir, tmp string) (*store, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("toolchain: %w", err)
	}
	s := &store{dir: dir, tmp: tmp, used: map[string]bool{}}
	for _, pattern := range []string{"site-*/go", "pages-*"} {
		found, err := filepath.Glob(filepath.Join(cache, "marginalia", pattern))
		if err != nil {
			return nil, fmt.Errorf("toolchain: %w", err)
		}
		s.others = append(s.others, found...)
	}
	return s, nil
}

// add adds content, which pack compresses, and returns its file without its size.
func (s *store) add(content []byte) (manifest.File, error) {
	f := manifest.File{Name: nameOfContent(content)}
	if s.used[f.Name] {
		return f, nil
	}
	s.used[f.Name] = true
	path := filepath.Join(s.dir, f.Name)
	if _, err := os.Stat(path); err == nil {
		return f, nil
	}
	if slices.ContainsFunc(s.others, func(dir string) bool { return os.Link(filepath.Join(dir, f.Name), path) == nil }) {
		return f, nil
	}
	source := filepath.Join(s.tmp, f.Name)
	fmt.Fprintf(&s.wanted, "%s\t%s\n", source, path)
	if err := os.WriteFile(source, content, 0o644); err != nil {
		return f, fmt.Errorf("toolchain: %w", err)
	}
	return f, nil
}

// nameOfContent is the name of a file.
func nameOfContent(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:10]) + end
}

// manifest compresses the manifest. Its name does not change.
func (s *store) manifest(ctx context.Context, m *manifest.Manifest, python string) error {
	text, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("toolchain: %w", err)
	}
	source := filepath.Join(s.tmp, manifest.Name)
	if err := os.WriteFile(source, text, 0o644); err != nil {
		return fmt.Errorf("toolchain: %w", err)
	}
	s.used[manifest.Name] = true
	s.wanted.Reset()
	fmt.Fprintf(&s.wanted, "%s\t%s\n", source, filepath.Join(s.dir, manifest.Name))
	return s.pack(ctx, python)
}

// pack compresses what was added.
func (s *store) pack(ctx context.Context, python string) error {
	if s.wanted.Len() == 0 {
		return nil
	}
	cmd := exec.CommandContext(ctx, python, "-c", packer)
	cmd.Stdin = strings.NewReader(s.wanted.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("toolchain: compressing with %s: %w\n%s", python, err, out)
	}
	return nil
}

// sized returns a file with its size.
func (s *store) sized(f manifest.File) (manifest.File, error) {
	info, err := os.Stat(filepath.Join(s.dir, f.Name))
	if err != nil {
		return f, fmt.Errorf("toolchain: %w", err)
	}
	f.Size = info.Size()
	return f, nil
}

// clean removes the files that an older manifest named.
func (s *store) clean() error {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return fmt.Errorf("toolchain: %w", err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), end) && !s.used[e.Name()] {
			if err := os.Remove(filepath.Join(s.dir, e.Name())); err != nil {
				return fmt.Errorf("toolchain: %w", err)
			}
		}
	}
	return nil
}

package build

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/sys/unix"
)

// stamps say what files and folders were like, by their paths.
type stamps map[string]stamp

// A stamp is what one was like. If the system says the same of a file as then, its text is the same
// too: every change of a text sets the time of change, ctime. Only what was changed shortly before
// may have been changed once more at the same time, for clocks are coarse, and is read again.
type stamp struct {
	state state
	hash  [sha256.Size]byte      // of a file's text, or of the names in a folder
	taken time.Time              // before the rest
	names func(name string) bool // which names in a folder count; nil for a file
}

// A state is what the system says of a file. The zero state is that of one that is not there.
type state struct {
	device, inode uint64
	size          int64
	changed       unix.Timespec
	folder        bool
}

// coarse is twice the resolution of the coarsest clock of a file system, that of FAT.
const coarse = 4 * time.Second

func stampOf(path string, names func(string) bool) stamp {
	s := stamp{taken: time.Now(), names: names}
	var of unix.Stat_t
	if unix.Stat(path, &of) == nil {
		s.state = state{uint64(of.Dev), of.Ino, of.Size, of.Ctim, of.Mode&unix.S_IFMT == unix.S_IFDIR}
	}
	return s
}

// settled reports whether another change would have had another time.
func (s stamp) settled() bool {
	return s.state == state{} || s.taken.Sub(time.Unix(s.state.changed.Unix())) > coarse
}

// read returns the stamp with the hash of what it is of.
func (s stamp) read(path string) stamp {
	if s.names == nil {
		text, _ := os.ReadFile(path) // nothing is built from what can't be read
		s.hash = sha256.Sum256(text)
		return s
	}
	entries, _ := os.ReadDir(path)
	var names strings.Builder
	for _, e := range entries {
		if s.names(e.Name()) {
			names.WriteString(e.Name() + "\x00" + e.Type().String() + "\x00")
		}
	}
	s.hash = sha256.Sum256([]byte(names.String()))
	return s
}

// current reports whether all is as it was.
func (s stamps) current() bool {
	for path, old := range s {
		now := stampOf(path, old.names)
		if now.state == old.state && old.settled() {
			continue
		}
		if now = now.read(path); now.state.folder != old.state.folder || (now.state == state{}) != (old.state == state{}) || now.hash != old.hash {
			return false
		}
		s[path] = now
	}
	return true
}

// file adds a file, which need not be there.
func (s stamps) file(path string) {
	if _, ok := s[path]; !ok {
		s[path] = stampOf(path, nil).read(path)
	}
}

// folder adds the names in a folder that count.
func (s stamps) folder(path string, counts func(name string) bool) {
	if _, ok := s[path]; !ok {
		s[path] = stampOf(path, counts).read(path)
	}
}

// packageFolder adds the sources in the folder of a package, and the files that it embeds.
func (s stamps) packageFolder(dir string, embedded []string) {
	counts := source
	if len(embedded) > 0 {
		counts = func(string) bool { return true } // a pattern may match another file
	}
	s.folder(dir, counts)
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if source(e.Name()) {
			s.file(filepath.Join(dir, e.Name()))
		}
	}
	for _, name := range embedded {
		file := filepath.Join(dir, filepath.FromSlash(name))
		s.file(file)
		for at := filepath.Dir(file); len(at) > len(dir); at = filepath.Dir(at) {
			s.folder(at, counts)
		}
	}
}

// source reports whether a file in the folder of a package is one of its sources, or ends its module.
func source(name string) bool {
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || strings.HasSuffix(name, "_test.go") {
		return false
	}
	return strings.HasSuffix(name, ".go") || compiled[filepath.Ext(name)] || name == "go.mod"
}

// above adds the files of a name in a folder and those above it, up to the first that is there:
// another may come in between.
func (s stamps) above(dir, name string) {
	for ; ; dir = filepath.Dir(dir) {
		file := filepath.Join(dir, name)
		s.file(file)
		if (s[file].state != state{}) || dir == filepath.Dir(dir) {
			return
		}
	}
}

// module adds what says which versions a module wants, given its go.mod, if there is one.
func (s stamps) module(file string) error {
	if filepath.Base(file) != "go.mod" {
		return nil
	}
	dir := filepath.Dir(file)
	s.file(file)
	s.file(filepath.Join(dir, "go.sum"))
	s.file(filepath.Join(dir, "vendor", "modules.txt"))
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	mod, err := modfile.ParseLax(file, text, nil)
	if err != nil {
		return err
	}
	s.replaced(dir, mod.Replace)
	return nil
}

// replaced adds what the modules want by which others are replaced, if they lie in folders.
func (s stamps) replaced(dir string, all []*modfile.Replace) {
	for _, r := range all {
		if modfile.IsDirectoryPath(r.New.Path) {
			s.file(filepath.Join(within(dir, r.New.Path), "go.mod"))
		}
	}
}

// workspace adds what says which versions a workspace wants, given its go.work, if there is one.
func (s stamps) workspace(file string) error {
	if filepath.Ext(file) != ".work" {
		return nil
	}
	s.file(file)
	s.file(file + ".sum")
	dir := filepath.Dir(file)
	s.file(filepath.Join(dir, "vendor", "modules.txt"))
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	work, err := modfile.ParseWork(file, text, nil)
	if err != nil {
		return err
	}
	s.replaced(dir, work.Replace)
	for _, use := range work.Use {
		if err := s.module(filepath.Join(within(dir, use.Path), "go.mod")); err != nil {
			return err
		}
	}
	return nil
}

// within returns a path that a file in dir names, with slashes.
func within(dir, path string) string {
	if path = filepath.FromSlash(path); filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

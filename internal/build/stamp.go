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
	State state
	Hash  [sha256.Size]byte // of a file's text, or of the names in a folder
	Taken time.Time         // before the rest
	Names names
}

// names are those in a folder that count.
type names string

const (
	none    names = ""        // it is a file
	sources names = "sources" // that the go command reads in the folder of a package
	all     names = "all"
)

func (n names) count(name string) bool { return n == all || n == sources && isSource(name) }

// A state is what the system says of a file. The zero state is that of one that is not there.
type state struct {
	Device, Inode uint64
	Size          int64
	Changed       unix.Timespec
	Folder        bool
}

// coarse is twice the resolution of the coarsest clock of a file system, that of FAT.
const coarse = 4 * time.Second

func stampOf(path string, names names) stamp {
	s := stamp{Taken: time.Now(), Names: names}
	var of unix.Stat_t
	if unix.Stat(path, &of) == nil {
		s.State = state{uint64(of.Dev), of.Ino, of.Size, of.Ctim, of.Mode&unix.S_IFMT == unix.S_IFDIR}
	}
	return s
}

// settled reports whether another change would have had another time.
func (s stamp) settled() bool {
	return s.State == state{} || s.Taken.Sub(time.Unix(s.State.Changed.Unix())) > coarse
}

// read returns the stamp with the hash of what it is of.
func (s stamp) read(path string) stamp {
	if s.Names == none {
		text, _ := os.ReadFile(path) // nothing is built from what can't be read
		s.Hash = sha256.Sum256(text)
		return s
	}
	entries, _ := os.ReadDir(path)
	var names strings.Builder
	for _, e := range entries {
		if s.Names.count(e.Name()) {
			names.WriteString(e.Name() + "\x00" + e.Type().String() + "\x00")
		}
	}
	s.Hash = sha256.Sum256([]byte(names.String()))
	return s
}

// current reports whether all is as it was.
func (s stamps) current() bool {
	for path, old := range s {
		now := stampOf(path, old.Names)
		if now.State == old.State && old.settled() {
			continue
		}
		if now = now.read(path); now.State.Folder != old.State.Folder || (now.State == state{}) != (old.State == state{}) || now.Hash != old.Hash {
			return false
		}
		s[path] = now
	}
	return true
}

// file adds a file, which need not be there.
func (s stamps) file(path string) {
	if _, ok := s[path]; !ok {
		s[path] = stampOf(path, none).read(path)
	}
}

// folder adds the names in a folder that count.
func (s stamps) folder(path string, names names) {
	if _, ok := s[path]; !ok {
		s[path] = stampOf(path, names).read(path)
	}
}

// packageFolder adds the sources in the folder of a package, and the files that it embeds.
func (s stamps) packageFolder(dir string, embedded []string) {
	if len(embedded) > 0 {
		s.folder(dir, all) // a pattern may match another file
	}
	s.folder(dir, sources)
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if isSource(e.Name()) {
			s.file(filepath.Join(dir, e.Name()))
		}
	}
	for _, name := range embedded {
		file := filepath.Join(dir, filepath.FromSlash(name))
		s.file(file)
		for at := filepath.Dir(file); len(at) > len(dir); at = filepath.Dir(at) {
			s.folder(at, all)
		}
	}
}

// isSource reports whether a file in the folder of a package is one of its sources, or ends its module.
func isSource(name string) bool {
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || strings.HasSuffix(name, "_test.go") {
		return false
	}
	return strings.HasSuffix(name, ".go") || compiled[filepath.Ext(name)] || name == "go.mod"
}

// modules adds what says which versions are wanted, besides the files that a [place] reads: the
// go.mod of the other modules of a workspace, and of those by which others are replaced.
func (s stamps) modules(gomod, gowork string) error {
	mods := []string{gomod}
	if gowork != "" && gowork != "off" {
		text, err := os.ReadFile(gowork)
		if err != nil {
			return err
		}
		work, err := modfile.ParseWork(gowork, text, nil)
		if err != nil {
			return err
		}
		home := filepath.Dir(gowork)
		for _, use := range work.Use {
			if file := filepath.Join(resolve(home, use.Path), "go.mod"); file != gomod {
				mods = append(mods, file)
				s.file(file)
				s.file(filepath.Join(filepath.Dir(file), "go.sum"))
			}
		}
		for _, dir := range folders(home, work.Replace) {
			s.file(filepath.Join(dir, "go.mod"))
		}
	}
	for _, file := range mods {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		mod, err := modfile.Parse(file, text, nil)
		if err != nil {
			return err
		}
		for _, dir := range folders(filepath.Dir(file), mod.Replace) {
			s.file(filepath.Join(dir, "go.mod"))
		}
	}
	return nil
}

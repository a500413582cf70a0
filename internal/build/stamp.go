package build

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
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

// changedSince reports whether something has changed since a time.
func (s stamps) changedSince(t time.Time) bool {
	for _, stamp := range s {
		if time.Unix(stamp.State.Changed.Unix()).After(t) {
			return true
		}
	}
	return false
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

// packageFolder adds the sources in the folder of a package.
func (s stamps) packageFolder(dir string) {
	s.folder(dir, sources)
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if isSource(e.Name()) {
			s.file(filepath.Join(dir, e.Name()))
		}
	}
}

// mostFolders is how many folders are watched for files that a package comes to embed.
const mostFolders = 1000

// embedded adds the files that a package embeds, and all folders in which a pattern may match more.
func (s stamps) embedded(dir string, files, patterns []string) error {
	for _, name := range files {
		s.file(filepath.Join(dir, filepath.FromSlash(name)))
	}
	folders := 0
	for _, pattern := range patterns {
		pattern = strings.TrimPrefix(pattern, "all:")
		if i := strings.IndexAny(pattern, `*?[\`); i >= 0 {
			pattern = pattern[:strings.LastIndexByte(pattern[:i], '/')+1]
		}
		if err := filepath.WalkDir(filepath.Join(dir, filepath.FromSlash(pattern)), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				s[path] = stampOf(path, all).read(path) // also where the sources alone have counted
				if folders++; folders > mostFolders {
					return fmt.Errorf("build: %s embeds of too many folders to watch", dir)
				}
			}
			return nil
		}); err != nil {
			return err
		}
		for at := filepath.Dir(filepath.Join(dir, filepath.FromSlash(pattern))); len(at) >= len(dir); at = filepath.Dir(at) {
			s[at] = stampOf(at, all).read(at)
		}
	}
	return nil
}

// isSource reports whether a file in the folder of a package is one of its sources, or ends its module.
func isSource(name string) bool {
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || strings.HasSuffix(name, "_test.go") {
		return false
	}
	return strings.HasSuffix(name, ".go") || compiled[filepath.Ext(name)] || name == "go.mod"
}

// A moduleFolder is a module in a folder: of a workspace, or by which another is replaced.
type moduleFolder struct{ path, dir string }

// modules adds what says which versions are wanted, besides the files that placeOf reads: the go.mod
// of the other modules of a workspace, and of those by which others are replaced. It returns all.
func (s stamps) modules(at place) ([]moduleFolder, error) {
	mods, dirs := []string{at.mod}, []string(nil)
	if at.work != "" {
		text, err := os.ReadFile(at.work)
		if err != nil {
			return nil, err
		}
		work, err := modfile.ParseWork(at.work, text, nil)
		if err != nil {
			return nil, err
		}
		home := filepath.Dir(at.work)
		for _, use := range work.Use {
			if file := filepath.Join(resolve(home, use.Path), "go.mod"); file != at.mod {
				mods = append(mods, file)
				s.file(file)
				s.file(filepath.Join(filepath.Dir(file), "go.sum"))
			}
		}
		dirs = folders(home, work.Replace)
	}
	var all []moduleFolder
	for _, file := range mods {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		mod, err := modfile.Parse(file, text, nil)
		if err != nil {
			return nil, err
		}
		if mod.Module == nil {
			return nil, fmt.Errorf("build: %s names no module", file)
		}
		all = append(all, moduleFolder{mod.Module.Mod.Path, filepath.Dir(file)})
		dirs = append(dirs, folders(filepath.Dir(file), mod.Replace)...)
	}
	for _, dir := range dirs {
		file := filepath.Join(dir, "go.mod")
		s.file(file)
		if text, err := os.ReadFile(file); err == nil {
			all = append(all, moduleFolder{modfile.ModulePath(text), dir})
		}
	}
	return all, nil
}

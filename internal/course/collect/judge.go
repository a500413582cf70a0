package collect

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"marginalia/internal/notebook/nbformat"
)

// judge reads a handed-in notebook as the grader does. It returns what tells it apart (see marksOf), or what
// is wrong with it. Memory is bounded, whatever the file is (see nbformat.Mend).
func judge(name string) (marks map[string]bool, fault *Fault) {
	nb, _, err := nbformat.MendFile(name)
	if bad, ok := errors.AsType[*nbformat.Unreadable](err); ok {
		return nil, &Fault{Kind: Kind(bad.Kind), Reason: bad.Why}
	} else if err != nil {
		return nil, &Fault{Kind: Refused, Reason: "it cannot be read: " + cause(err)}
	}
	return gradeIDs(nb), nil
}

// trait begins what tells a notebook apart that has lost nbgrader's metadata. No grade_id begins so.
const trait = "\x00"

// declaration finds what Go code declares at its top.
var declaration = regexp.MustCompile(`(?m)^(?:func|type|var|const) (?:\([^)\n]*\) ?)?(\w+)`)

// gradeIDs returns what tells a notebook apart: the ids of its nbgrader cells, and as traits the ids of all cells,
// their sources, and the names that they declare.
func gradeIDs(nb *nbformat.Notebook) map[string]bool {
	ids := map[string]bool{}
	for _, c := range nb.Cells {
		m, _ := c.Metadata["nbgrader"].(map[string]any)
		if id, _ := m["grade_id"].(string); id != "" {
			ids[id] = true
		}
		ids[trait+"id "+c.ID] = true
		if text := strings.TrimSpace(c.Source); text != "" {
			ids[fmt.Sprintf("%ssource %x", trait, sha256.Sum256([]byte(text)))] = true
		}
		for _, m := range declaration.FindAllStringSubmatch(c.Source, -1) {
			ids[trait+"name "+m[1]] = true
		}
	}
	return ids
}

// shared returns how many ids two notebooks share, and how many traits.
func shared(a, b map[string]bool) (ids, traits int) {
	for id := range a {
		switch {
		case !b[id]:
		case strings.HasPrefix(id, trait):
			traits++
		default:
			ids++
		}
	}
	return ids, traits
}

// isMarked reports whether any cell of a notebook has an id of nbgrader's.
func isMarked(marks map[string]bool) bool {
	for id := range marks {
		if !strings.HasPrefix(id, trait) {
			return true
		}
	}
	return false
}

// seemsNotebook reports whether a file that is not called a notebook begins as one.
func seemsNotebook(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	return nbformat.Seems(headOf(f))
}

// Find returns the file of a notebook in a folder of submitted/ that was not collected: the one of its name, or else the only one
// whose name is that with the additions of browsers, Windows and second downloads. why tells the student what is there
// instead.
func Find(dir, notebook string) (file, why string) {
	if _, err := os.Lstat(filepath.Join(dir, notebook+".ipynb")); err == nil {
		return filepath.Join(dir, notebook+".ipynb"), ""
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", "it can't be read"
	}
	var found, others []string
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		switch {
		case !e.Type().IsRegular() || isJunk([]string{e.Name()}) || fold(plainStem(fileName(e.Name()))) != fold(notebook):
		case seemsNotebook(name):
			found = append(found, name)
		default:
			others = append(others, fmt.Sprintf("%s is %s: hand in the notebook itself, %s.ipynb", Printable(e.Name()), kindOf(e.Name(), name), notebook))
		}
	}
	switch {
	case len(found) == 1:
		return found[0], ""
	case len(found) > 1:
		return "", fmt.Sprintf("several files could be %s.ipynb", notebook)
	case len(others) > 0:
		return "", strings.Join(others[:min(len(others), 5)], "; ")
	}
	return "", "it was not handed in"
}

// headOf reads the beginning of a file.
func headOf(r io.Reader) []byte {
	head := make([]byte, 4096)
	n, _ := io.ReadFull(r, head)
	return head[:n]
}

// kindOf says for the reason what a file that is no notebook is: by its first bytes,
// else by its name.
func kindOf(name, stored string) string {
	if f, err := os.Open(stored); err == nil {
		defer f.Close()
		head := headOf(f)
		if len(head) == 0 {
			return "an empty file"
		}
		what, _ := nbformat.TypeOf(head)
		switch ext := strings.ToLower(path.Ext(name)); {
		case ext == ".docx" || ext == ".doc" || ext == ".odt":
			return "a Word file"
		case what != "":
			return what
		case ext == ".py" || ext == ".go" || ext == ".r" || ext == ".m":
			return "a program"
		case ext == ".txt" || ext == ".md" || ext == ".csv":
			return "text"
		}
	}
	return "no notebook"
}

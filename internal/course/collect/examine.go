package collect

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// examine finds the assignment's notebooks among the files of an attempt, and notes
// what is wrong.
func (c *collector) examine(rec *Record, tmp string, w *writer) {
	rec.Notebooks = map[string]string{}
	candidates := map[string][]stored{} // files that are a notebook of the assignment
	bad := map[string]Fault{}           // path or name of a file to what is wrong with it
	for _, s := range w.files {
		switch {
		case s.refused != "":
			kind := Refused
			if isZip(s.from) {
				kind = BadZip
			}
			if isNotebook(s.from) || isZip(s.from) {
				bad[s.from] = Fault{Kind: kind, Reason: s.refused}
			}
			rec.Notes = append(rec.Notes, fmt.Sprintf("%s is left out: %s", Printable(s.from), s.refused))
		case isNotebook(s.path):
			ids, fault := judge(filepath.Join(c.Course.Dir, filepath.FromSlash(path.Join(tmp, "files", s.path))))
			name := ""
			if fault == nil {
				name, fault = c.which(s.path, ids)
			}
			if fault != nil {
				bad[s.path] = *fault
				continue
			}
			candidates[name] = append(candidates[name], s)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(candidates)) {
		s, fault := choose(name, candidates[name])
		if fault != nil {
			rec.Faults = append(rec.Faults, *fault)
			continue
		}
		rec.Notebooks[name] = s.path
		if path.Base(s.path) != name+".ipynb" {
			rec.Notes = append(rec.Notes, fmt.Sprintf("%s is %s.ipynb by its cells", Printable(s.path), name))
		}
		for _, other := range candidates[name] {
			if other.path != s.path {
				rec.Notes = append(rec.Notes, fmt.Sprintf("%s is another %s.ipynb and does not count", Printable(other.path), name))
			}
		}
	}
	expected := slices.Sorted(maps.Keys(c.expected))
	if len(expected) == 0 && len(candidates) == 0 {
		expected = []string{""}
	}
	for _, name := range expected {
		if candidates[name] == nil {
			rec.Faults = append(rec.Faults, missing(name, bad, w.files, filepath.Join(c.Course.Dir, filepath.FromSlash(tmp), "files")))
		}
	}
}

// which returns the notebook of the assignment that a file is: by the ids of its
// cells where the assignment has some, else by its name.
func (c *collector) which(name string, ids map[string]bool) (string, *Fault) {
	stem := plainStem(name)
	if len(c.expected) == 0 {
		return stem, nil
	}
	best, most, marked := "", 0, false
	for _, notebook := range slices.Sorted(maps.Keys(c.expected)) {
		marked = marked || len(c.expected[notebook]) > 0
		n := shared(ids, c.expected[notebook])
		if n > most || n == most && n > 0 && fold(notebook) == fold(stem) {
			best, most = notebook, n
		}
	}
	for _, assignment := range slices.Sorted(maps.Keys(c.others)) {
		for _, notebook := range slices.Sorted(maps.Keys(c.others[assignment])) {
			if n := shared(ids, c.others[assignment][notebook]); n > most {
				return "", &Fault{Kind: Elsewhere, Reason: fmt.Sprintf("it is %s.ipynb of the assignment %s", notebook, assignment)}
			}
		}
	}
	if best != "" {
		return best, nil
	}
	if marked {
		return "", &Fault{Kind: Elsewhere, Reason: "none of its cells is of this assignment"}
	}
	for notebook := range c.expected {
		if fold(notebook) == fold(stem) {
			return notebook, nil
		}
	}
	return "", &Fault{Kind: Elsewhere, Reason: fmt.Sprintf("no notebook of this assignment is called %s", Printable(stem))}
}

func shared(a, b map[string]bool) (n int) {
	for id := range a {
		if b[id] {
			n++
		}
	}
	return n
}

// plainStem returns the name of a notebook without .ipynb and without what browsers,
// Canvas and JupyterLab add to a second one: "ps1 (1)", "ps1-1", "ps1-Copy1".
func plainStem(name string) string {
	stem := strings.TrimSuffix(path.Base(name), path.Ext(name))
	plain := strings.TrimRight(stem, "0123456789)")
	if plain == stem {
		return stem
	}
	for _, end := range []string{" (", "-Copy", "-"} {
		if before, found := strings.CutSuffix(plain, end); found && before != "" {
			return before
		}
	}
	return stem
}

// choose returns the one of several files that is the notebook: the only one, or the
// only one of its very name; files of the same bytes are one.
func choose(notebook string, files []stored) (stored, *Fault) {
	named := slices.DeleteFunc(slices.Clone(files), func(s stored) bool { return path.Base(s.path) != notebook+".ipynb" })
	for _, some := range [][]stored{named, files} {
		if len(some) > 0 && !slices.ContainsFunc(some, func(s stored) bool { return s.sum != some[0].sum }) {
			return some[0], nil
		}
	}
	var names []string
	for _, s := range files {
		names = append(names, Printable(s.path))
	}
	return stored{}, &Fault{Notebook: notebook, Kind: Several, Reason: fmt.Sprintf("several files could be %s.ipynb: %s", notebook, strings.Join(names, ", "))}
}

// missing is the fault of a notebook that no file is. The reason tells what the
// student handed in instead.
func missing(notebook string, bad map[string]Fault, files []stored, dir string) Fault {
	// The file of the notebook's name, if one of them has it, else all that could be meant.
	names := slices.Sorted(maps.Keys(bad))
	for _, name := range names {
		if fold(plainStem(name)) == fold(notebook) {
			names = []string{name}
			break
		}
	}
	var reasons []string
	kind := Missing
	for _, name := range names {
		if len(reasons) == 0 {
			kind = bad[name].Kind
		}
		reason := bad[name].Reason
		if name != notebook+".ipynb" {
			reason = Printable(name) + ": " + reason
		}
		reasons = append(reasons, reason)
	}
	if len(reasons) == 0 {
		for _, s := range files {
			if s.path != "" && !s.zip && !isNotebook(s.path) && s.path != timestampFile && s.path != receiptFile {
				kind = OtherType
				reasons = append(reasons, fmt.Sprintf("%s is %s", Printable(s.path), kindOf(s.path, filepath.Join(dir, filepath.FromSlash(s.path)))))
			}
		}
	}
	const most = 5
	if more := len(reasons) - most; more > 0 {
		reasons = append(reasons[:most], fmt.Sprintf("and %d more", more))
	}
	if len(reasons) == 0 {
		reasons = []string{"no notebook was handed in"}
	}
	return Fault{Notebook: notebook, Kind: kind, Reason: strings.Join(reasons, "; ")}
}

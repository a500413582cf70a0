package collect

import (
	"cmp"
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
	likely := map[string][]stored{}     // files that are one by their traits, as nbgrader's metadata are lost
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
		case s.path != "" && !s.zip:
			file := filepath.Join(c.Course.Dir, filepath.FromSlash(path.Join(tmp, "files", s.path)))
			if !isNotebook(s.path) && !seemsNotebook(file) {
				continue
			}
			marks, fault := judge(file)
			name, sure := "", false
			if fault == nil {
				name, sure, fault = c.which(s.path, marks)
			}
			switch {
			case fault != nil && (isNotebook(s.path) || c.meant(s.path)):
				bad[s.path] = *fault
			case fault != nil: // data in JSON
			case sure:
				candidates[name] = append(candidates[name], s)
			default:
				likely[name] = append(likely[name], s)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(likely)) {
		if candidates[name] == nil {
			candidates[name] = likely[name]
			rec.Notes = append(rec.Notes, fmt.Sprintf("%s.ipynb has lost nbgrader's metadata: it was known by what its cells hold", name))
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
	others := slices.DeleteFunc(slices.Clone(w.files), func(s stored) bool {
		return slices.ContainsFunc(slices.Collect(maps.Values(candidates)), func(files []stored) bool { return slices.Contains(files, s) })
	})
	for _, name := range expected {
		if candidates[name] == nil {
			rec.Faults = append(rec.Faults, missing(name, bad, others, filepath.Join(c.Course.Dir, filepath.FromSlash(tmp), "files")))
		}
	}
}

// meant reports whether a file is one of the assignment's notebooks by its name, whatever stands behind that.
func (c *collector) meant(name string) bool {
	if strings.Contains(strings.ToLower(path.Base(name)), ".ipynb") {
		return true
	}
	for notebook := range c.expected {
		if fold(plainStem(name)) == fold(notebook) {
			return true
		}
	}
	return false
}

// which returns the notebook of the assignment that a file is: by the ids of its cells where the assignment has some; by
// its traits if the file has none of the ids of any assignment, and then it is not sure; else by its name.
func (c *collector) which(name string, marks map[string]bool) (notebook string, sure bool, fault *Fault) {
	stem := plainStem(name)
	if len(c.expected) == 0 {
		return stem, true, nil
	}
	best, most, marked := "", 0, false
	likely, traits := "", 1 // one trait alone may be chance
	for _, notebook := range slices.Sorted(maps.Keys(c.expected)) {
		marked = marked || isMarked(c.expected[notebook])
		n, t := shared(marks, c.expected[notebook])
		same := fold(notebook) == fold(stem)
		if n > most || n == most && n > 0 && same {
			best, most = notebook, n
		}
		if t > traits || t == traits && likely != "" && same {
			likely, traits = notebook, t
		}
	}
	for _, assignment := range slices.Sorted(maps.Keys(c.others)) {
		for _, notebook := range slices.Sorted(maps.Keys(c.others[assignment])) {
			if n, t := shared(marks, c.others[assignment][notebook]); n > most || most == 0 && t > traits {
				return "", false, &Fault{Kind: Elsewhere, Reason: fmt.Sprintf("it is %s.ipynb of the assignment %s", notebook, assignment)}
			}
		}
	}
	switch {
	case best != "":
		return best, true, nil
	case marked && likely != "":
		return likely, false, nil
	case marked:
		return "", false, &Fault{Kind: Elsewhere, Reason: "none of its cells is of this assignment"}
	}
	for notebook := range c.expected {
		if fold(notebook) == fold(stem) {
			return notebook, true, nil
		}
	}
	return "", false, &Fault{Kind: Elsewhere, Reason: fmt.Sprintf("no notebook of this assignment is called %s", Printable(stem))}
}

// plainStem returns the name of a notebook without .ipynb, what browsers and Windows put behind that (.txt), and what
// browsers, Canvas and JupyterLab add to a second one: "ps1 (1)", "ps1-1", "ps1-Copy1".
func plainStem(name string) string {
	stem := strings.TrimSuffix(path.Base(name), path.Ext(name))
	if isNotebook(stem) {
		stem = strings.TrimSuffix(stem, path.Ext(stem))
	}
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

// choose returns the one of several files that is the notebook: the only one of its very name, or the only one
// that ends in .ipynb, or the only one; files of the same bytes are one.
func choose(notebook string, files []stored) (stored, *Fault) {
	named := slices.DeleteFunc(slices.Clone(files), func(s stored) bool { return path.Base(s.path) != notebook+".ipynb" })
	called := slices.DeleteFunc(slices.Clone(files), func(s stored) bool { return !isNotebook(s.path) })
	for _, some := range [][]stored{named, called, files} {
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
	advised := len(reasons) > 0 // what judge says of a file of another type ends with what to hand in instead
	if !advised {
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
	switch {
	case len(reasons) == 0:
		reasons = []string{"no notebook was handed in"}
	case kind == OtherType && !advised:
		reasons = append(reasons, "hand in the notebook itself, "+cmp.Or(notebook, "NAME")+".ipynb")
	}
	return Fault{Notebook: notebook, Kind: kind, Reason: strings.Join(reasons, "; ")}
}

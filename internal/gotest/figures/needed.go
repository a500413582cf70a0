package figures

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"marginalia/internal/notebook/mistake"
	"marginalia/internal/notebook/nbformat"
)

// Needed returns the notebooks whose stored outputs have a figure that o.Only names. It
// returns all notebooks if Only is empty, or if no stored figure has such a name.
func (o Options) Needed(files []string) ([]string, error) {
	if len(o.Only) == 0 {
		return files, nil
	}
	var needed []string
	for _, file := range files {
		nb, err := nbformat.Read(file)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(storedNames(nb), o.wants) {
			needed = append(needed, file)
		}
	}
	if needed == nil { // a figure that no cell has stored yet
		return files, nil
	}
	return needed, nil
}

// Slip returns an error for the names in Only that neither a stored figure of the notebooks has nor a string in
// their code. To find that out by running them takes minutes. Nothing is a slip where nothing is stored, or where
// a notebook can't be read.
func (o Options) Slip(files []string) error {
	var shown []string
	var code strings.Builder
	for _, file := range files {
		nb, err := nbformat.Read(file)
		if err != nil {
			return nil // Collect says so
		}
		shown = append(shown, storedNames(nb)...)
		for _, c := range nb.Cells {
			if c.Type == "code" {
				code.WriteString(c.Source + "\n")
			}
		}
	}
	var errs []error
	for _, p := range o.Only {
		named := writes(code.String(), p)
		if len(shown) > 0 && !named && !slices.ContainsFunc(shown, func(name string) bool { return match(p, name) }) {
			errs = append(errs, fmt.Errorf("figures: there is no figure %q: %s (if a cell puts this name together, run its notebook first)", p, instead(p, shown)))
		}
	}
	return errors.Join(errs...)
}

// cells returns those of the cells that may show a figure that o.Only names: one with such a figure stands in
// their outputs, its name in their code, or nothing in their outputs yet. It returns all if Only is empty, or has a
// name that none of them stores or writes: then a cell puts it together.
func (o Options) cells(nb *nbformat.Notebook, ids []string) []string {
	may := map[string]bool{}
	for _, p := range o.Only {
		known := false
		for _, c := range nb.Cells {
			if slices.ContainsFunc(storedIn(c), func(name string) bool { return match(p, name) }) || writes(c.Source, p) {
				known, may[c.ID] = true, true
			}
		}
		if !known {
			return ids
		}
	}
	if len(o.Only) == 0 {
		return ids
	}
	for _, c := range nb.Cells {
		may[c.ID] = may[c.ID] || len(c.Outputs) == 0
	}
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !may[id] })
}

// writes reports whether a text is among the strings of a program.
func writes(code, text string) bool {
	return strings.Contains(code, strconv.Quote(text)) || strings.Contains(code, "`"+text+"`")
}

// storedNames returns the names of the figures that a notebook stores.
func storedNames(nb *nbformat.Notebook) (names []string) {
	for _, c := range nb.Cells {
		names = append(names, storedIn(c)...)
	}
	return names
}

func storedIn(c *nbformat.Cell) (names []string) {
	for _, out := range c.Outputs {
		if name, _ := out.Metadata[nameKey].(string); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// instead says which names there are in the place of one that no figure has.
func instead(name string, shown []string) string {
	if near := mistake.Nearest(name, shown); near != nil {
		return "did you mean " + strings.Join(near, " or ") + "?"
	}
	if len(shown) == 0 {
		return "no cell shows a figure"
	}
	words := "there are " + strings.Join(shown[:min(len(shown), 20)], ", ")
	if more := len(shown) - 20; more > 0 {
		words += fmt.Sprintf(" and %d more", more)
	}
	return words
}

// match reports whether a pattern of Only, which Validate has seen, names a figure.
func match(pattern, name string) bool {
	ok, _ := path.Match(pattern, name)
	return ok
}

package check_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/base/repo"
	"marginalia/internal/course/check"
	"marginalia/internal/course/collect"
	"marginalia/internal/course/grade"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// strange are values that stand where others belong.
var strange = []any{nil, true, -1, 1.5, "", "code", "markdown", "\ufffd", []any{}, []any{1, nil, "x"}, map[string]any{}, map[string]any{"a": []any{map[string]any{}}}, strings.Repeat("long ", 1000)}

// mutate changes one value of JSON somewhere below v, but not the answers, if harmless is true. It returns the new v.
func mutate(r *rand.Rand, v any, harmless bool) any {
	switch v := v.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		if harmless {
			keys = slices.DeleteFunc(keys, func(key string) bool {
				return slices.Contains([]string{"source", "cell_type", "nbgrader", "marginalia", "cells"}, key)
			})
		}
		if cells, ok := v["cells"].([]any); ok && len(cells) > 0 && r.IntN(4) > 0 {
			i := r.IntN(len(cells))
			cells[i] = mutate(r, cells[i], harmless)
			return v
		}
		if len(keys) == 0 || r.IntN(8) == 0 {
			v["new"] = strange[r.IntN(len(strange))]
			return v
		}
		switch key := keys[r.IntN(len(keys))]; r.IntN(4) {
		case 0:
			delete(v, key)
		case 1:
			v[key] = strange[r.IntN(len(strange))]
		case 2:
			v[key] = []any{v[key]}
			if harmless && key == "metadata" { // nbgrader's would be lost: other tests
				v[key] = v[key].([]any)[0]
			}
		default:
			if harmless && key == "metadata" {
				v[key] = mutate(r, v[key], harmless)
			} else {
				v[key] = mutate(r, v[key], false)
			}
		}
		return v
	case []any:
		if len(v) == 0 || r.IntN(4) == 0 {
			return append(v, strange[r.IntN(len(strange))])
		}
		i := r.IntN(len(v))
		switch r.IntN(4) {
		case 0:
			return slices.Delete(v, i, i+1)
		case 1:
			return append(v, v[i])
		}
		v[i] = mutate(r, v[i], harmless)
		return v
	}
	return strange[r.IntN(len(strange))]
}

// broken changes the text of JSON: a key that stands twice, a token that Python writes, a torn end.
func broken(r *rand.Rand, text string) string {
	at := r.IntN(len(text))
	switch r.IntN(6) {
	case 0:
		return strings.Replace(text, `{"`, `{"metadata":7,"`, 1+r.IntN(9))
	case 1:
		return strings.Replace(text, "null", "NaN", -1)
	case 2:
		return text[:at]
	case 3:
		return text[:at] + strings.Repeat("[", 300) + text[at:]
	case 4:
		return text[:at] + "\xff" + text[at:]
	}
	return text + "\x00{}"
}

// A notebook that was changed at random, at any place of its JSON, is read or refused in words, and collect, grade and
// check agree on which. What is read is written as a notebook. Changes beside the answers cost nothing.
func TestMutants(t *testing.T) {
	root := must.Get(repo.Root()).Or(t)
	c, released := newCourse(t)
	r := released.Notebooks[0]
	a := must.Get(assignment.Read(t.Context(), r.Source, root)).Or(t)
	whole := must.Get(right(t, r).Encode()).Or(t)
	random := rand.New(rand.NewPCG(43, 11))
	in := t.TempDir()
	texts, harmless := map[string]string{}, map[string]bool{}
	for i := range tier.Size(t, 150, 1000) {
		var v any
		must.Do(t, json.Unmarshal(whole, &v))
		id := fmt.Sprint("s", i)
		harmless[id] = i%3 == 0
		for range 1 + random.IntN(4) {
			v = mutate(random, v, harmless[id])
		}
		data := must.Get(json.Marshal(v)).Or(t)
		if texts[id] = strings.ReplaceAll(string(data), "\ufffd", `\ud83d`); i%3 == 1 {
			texts[id] = broken(random, texts[id])
		}
		must.Do(t, os.Mkdir(filepath.Join(in, id), 0o777))
		must.Do(t, os.WriteFile(filepath.Join(in, id, "hx.ipynb"), []byte(texts[id]), 0o666))
	}
	must.Get(collect.Collect(t.Context(), collect.Options{Course: c, Assignment: "hx", Inputs: []string{in}})).Or(t)
	read, refused := 0, 0
	for _, id := range slices.Sorted(maps.Keys(texts)) {
		rec := must.Get(collect.ReadRecord(filepath.Join(c.Dir, "submitted", id, "hx"))).Or(t)
		fault := rec.Fault("hx")
		nb, notes, err := grade.Returned(a, r.Release, []byte(texts[id]))
		switch {
		case err != nil:
			if refused++; fault == nil || fault.Reason != err.Error() || harmless[id] {
				t.Errorf("%s: grade says %v, collect %+v\n%.3000s", id, err, fault, texts[id])
			}
			continue
		case fault != nil && fault.Kind != collect.Elsewhere:
			t.Errorf("%s: collect says %+v, and grade reads it", id, fault)
		}
		read++
		if again, more, err := grade.Returned(a, r.Release, []byte(texts[id])); err != nil || fmt.Sprint(more) != fmt.Sprint(notes) || written(t, again) != written(t, nb) {
			t.Errorf("%s is read in two ways", id)
		}
		g := must.Get(a.Assemble(t.Context(), nb, nil, nil)).Or(t)
		delete(g.Missing, "addAll") // the lecturer's own
		if harmless[id] && len(g.Missing) > 0 {
			t.Errorf("%s: missing %v\n%.3000s", id, g.Missing, texts[id])
		}
		if err := nbgrader.Validate(nb); err != nil && harmless[id] {
			t.Errorf("%s: %v", id, err)
		}
		student, mended, err := nbformat.Mend([]byte(texts[id]))
		must.Do(t, err)
		if _, err := check.Read(student, in, mended...); err != nil && harmless[id] && student.Metadata["marginalia"] != nil {
			t.Errorf("%s: check says %v", id, err)
		}
	}
	if read < len(texts)/2 || refused < len(texts)/20 {
		t.Errorf("%d are read and %d refused: the changes are too many or too few", read, refused)
	}
}

// written is what is written of a notebook, and can be read again.
func written(t *testing.T, nb *nbformat.Notebook) string {
	t.Helper()
	data := must.Get(nb.Encode()).Or(t)
	must.Get(nbformat.Decode(data)).Or(t)
	return string(data)
}

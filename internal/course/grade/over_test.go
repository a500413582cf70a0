package grade_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"marginalia/internal/course/grade"
	"marginalia/internal/course/grade/gradetest"
	"marginalia/internal/sandbox/verdict"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/owncache"
	"marginalia/internal/testkit/tier"
)

// A mistake costs one question, an answer earns nothing by the solution of one that needs it, and what is said of a check tells
// nothing that was computed with a solution: neither the verdict nor what the student reads has the words in the file secret.
func TestOver(t *testing.T) {
	tier.Long(t)
	owncache.Use(t)
	const of = "testdata/over.txtar"
	b := &grade.Builder{Root: root(t)}
	allowed := strings.Fields("errors flag fmt math testing")
	g, err := b.Grader(t.Context(), submission(t, of, &txtar.Archive{}), grade.Settings{MayImport: func(path string) bool { return slices.Contains(allowed, path) }, TimeFactor: 20, Memory: 24 << 20}) // endless calls fill it
	must.Do(t, err)
	t.Cleanup(g.Close)
	files, _ := filepath.Glob("testdata/over/*.txtar")
	if len(files) < 24 {
		t.Errorf("%d submissions, want 24 or more", len(files))
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			own := must.Get(txtar.ParseFile(file)).Or(t)
			nb := submission(t, of, own)
			v := must.Get(g.Grade(t.Context(), "ada", nb)).Or(t)
			gradetest.CheckMarks(t, v, gradetest.Marks(t, own))
			checkUntold(t, v, own)
			if strings.HasPrefix(filepath.Base(file), "twin") { // which take long
				return
			}
			again := must.Get(g.Grade(t.Context(), "ada", nb)).Or(t)
			if first, second := record(t, v), record(t, again); first != second {
				t.Errorf("judged twice:\n%s\n%s", first, second)
			}
		})
	}
}

// checkUntold looks for the lines of the file secret, and for names of the solution and of hidden tests.
func checkUntold(t *testing.T, v *verdict.Notebook, own *txtar.Archive) {
	t.Helper()
	text := record(t, v)
	for _, test := range v.Tests {
		text += grade.Told(test)
	}
	secrets := []string{"marginalia_", "~solution", "which cell mean-test"}
	for _, f := range own.Files {
		if f.Name == "secret" {
			secrets = append(secrets, strings.Split(strings.TrimSpace(string(f.Data)), "\n")...)
		}
	}
	for _, secret := range secrets {
		if strings.Contains(text, secret) {
			t.Errorf("it tells %q: %s", secret, text)
		}
	}
}

// record is a verdict as it is stored.
func record(t *testing.T, v *verdict.Notebook) string {
	t.Helper()
	data := must.Get(json.MarshalIndent(v, "", " ")).Or(t)
	return string(data)
}

package grade_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"marginalia/internal/course/grade"
	"marginalia/internal/course/grade/gradetest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/sandbox/verdict"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/owncache"
	"marginalia/internal/testkit/tier"
)

// hostile returns the assignment that the attacks are made against, with the files of an attack in it: GRADE_ID is
// the source of that cell, "meta GRADE_ID" its metadata of nbgrader's, "own ID" a cell of the student's own. An attack
// with the file endless runs into its time limit: the seconds of the processor that the file holds, or the default of the grader.
// The file wide says that the attack is one against wide.txtar, and secret has words that a student must not read besides those
// of all attacks.
func hostile(t testing.TB, attack *txtar.Archive) *nbformat.Notebook {
	t.Helper()
	return submission(t, "testdata/"+assignmentOf(attack)+".txtar", attack)
}

// submission returns the assignment of a file with the files of an attack in it.
func submission(t testing.TB, file string, attack *txtar.Archive) *nbformat.Notebook {
	t.Helper()
	nb := gradetest.Lecturers(t, file)
	cell := func(id string) *nbformat.Cell {
		i := slices.IndexFunc(nb.Cells, func(c *nbformat.Cell) bool { return c.ID == id })
		if i < 0 {
			t.Fatalf("the assignment has no cell %s", id)
		}
		return nb.Cells[i]
	}
	for _, f := range attack.Files {
		kind, id, _ := strings.Cut(f.Name, " ")
		switch kind {
		case "marks", "reason", "edit", "whole", "endless", "wide", "secret":
		case "meta":
			dec := json.NewDecoder(bytes.NewReader(f.Data))
			dec.UseNumber()
			var meta any
			must.Do(t, dec.Decode(&meta))
			cell(id).Metadata["nbgrader"] = meta
		case "own":
			nb.Cells = append(nb.Cells, &nbformat.Cell{ID: id, Type: "code", Source: expand(string(f.Data)), Metadata: map[string]any{}})
		default:
			cell(f.Name).Source = expand(string(f.Data))
		}
	}
	return nb
}

// assignmentOf names the assignment that an attack is made against.
func assignmentOf(attack *txtar.Archive) string {
	if slices.ContainsFunc(attack.Files, func(f txtar.File) bool { return f.Name == "wide" }) {
		return "wide"
	}
	return "hostile"
}

// edited is a notebook whose file has other bytes: each line of edit is OLD ⇒ NEW, whole is the file.
func edited(t testing.TB, nb *nbformat.Notebook, f txtar.File) (*nbformat.Notebook, error) {
	t.Helper()
	if f.Name == "whole" {
		return nbformat.Decode([]byte(expand(string(f.Data))))
	}
	data := must.Get(nb.Encode()).Or(t)
	text := string(data)
	for line := range strings.Lines(string(f.Data)) {
		old, other, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ⇒ ")
		if !strings.Contains(text, old) {
			t.Fatalf("the file has no %s", old)
		}
		text = strings.Replace(text, old, expand(other), 1)
	}
	return nbformat.Decode([]byte(text))
}

// expand replaces «repeat N TEXT» by N times TEXT, where # is the number and ## the next: what an attack has a
// thousand times is written once. ␍ is a carriage return.
func expand(text string) string {
	for {
		text = strings.ReplaceAll(text, "␍", "\r")
		before, rest, ok := strings.Cut(text, "«repeat ")
		if !ok {
			return text
		}
		body, after, _ := strings.Cut(rest, "»")
		count, body, _ := strings.Cut(body, " ")
		n, _ := strconv.Atoi(count)
		var w strings.Builder
		for i := range n {
			w.WriteString(strings.NewReplacer("##", strconv.Itoa(i+1), "#", strconv.Itoa(i)).Replace(body))
		}
		text = before + w.String() + after
	}
}

// hostileGrader returns a grader of an assignment, with the files of an attack that name it or without.
func hostileGrader(t testing.TB, files ...txtar.File) *grade.Grader {
	t.Helper()
	b := &grade.Builder{Root: root(t)}
	allowed := strings.Fields("errors fmt io io/fs log maps math os reflect runtime runtime/debug slices sort strconv strings sync syscall time")
	g, err := b.Grader(t.Context(), hostile(t, &txtar.Archive{Files: files}), grade.Settings{MayImport: func(path string) bool { return slices.Contains(allowed, path) }, TimeFactor: 20, Memory: 64 << 20})
	must.Do(t, err)
	t.Cleanup(g.Close)
	return g
}

// usual imports the packages that attacks import, beside those of the assignment.
const usual = `import (
	"log"
	"maps"
	"runtime/debug"
	"sort"
	"strings"
)

var usual = []any{log.Println, maps.Keys[map[int]int], debug.Stack, sort.Ints, strings.ToUpper}`

// Each hostile submission gets what its honest part earns, the grader judges the next one, and nothing of the
// machine or of hidden tests is seen in what it leaves.
func TestHostile(t *testing.T) {
	tier.Long(t)
	const secret = "an environment that no guest sees"
	t.Setenv("MARGINALIA_SECRET", secret)
	owncache.Use(t)
	graders := map[string]*grade.Grader{"hostile": hostileGrader(t), "wide": hostileGrader(t, txtar.File{Name: "wide"})}
	files, _ := filepath.Glob("testdata/attacks/*.txtar")
	if len(files) < 60 {
		t.Errorf("%d attacks, want 60 or more", len(files))
	}
	if _, err := graders["hostile"].Grade(t.Context(), "ada", hostile(t, &txtar.Archive{Files: []txtar.File{{Name: "own usual", Data: []byte(usual)}}})); err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			attack, err := txtar.ParseFile(file)
			must.Do(t, err)
			g := graders[assignmentOf(attack)]
			// A bomb takes all the time that it gets, alone and with others. A guest that is none must have enough on a
			// slow and busy machine too: 1.2 s were too few for time-wide-loop, once Go had compiled what it imports.
			if strings.HasPrefix(t.Name(), "TestHostile/bomb-") {
				g.Bound(1200 * time.Millisecond)
			} else {
				g.Bound(3 * time.Second)
			}
			nb, reason, endless := hostile(t, attack), "", false
			g.Least(60) // what ends by itself does, on a busy machine too
			for _, f := range attack.Files {
				switch f.Name {
				case "edit", "whole":
					nb, err = edited(t, nb, f)
				case "reason":
					reason = strings.TrimSpace(string(f.Data))
				case "endless":
					endless = true
					seconds := 0.0
					if text := strings.TrimSpace(string(f.Data)); text != "" {
						seconds = must.Get(strconv.ParseFloat(text, 64)).Or(t)
					}
					g.Least(seconds)
				}
			}
			if reason != "" {
				if err == nil || !strings.Contains(verdict.Plain(err.Error(), 1000), reason) {
					t.Errorf("reading the file: %v, want %q", err, reason)
				}
				return // TestRun: such a notebook gets no points
			}
			must.Do(t, err)
			v := must.Get(g.Grade(t.Context(), "ada", nb)).Or(t)
			gradetest.CheckMarks(t, v, gradetest.Marks(t, attack))
			checkTold(t, v, attack)
			late := slices.ContainsFunc(v.Tests, func(test verdict.Test) bool {
				return slices.ContainsFunc(test.Checks, func(c verdict.Check) bool { return c.Panic == "it takes too long" })
			})
			if late != endless {
				t.Errorf("a check takes too long: %t, want %t", late, endless)
			}
			all := must.Get(json.Marshal(v)).Or(t)
			if len(all) > 1<<20 {
				t.Errorf("the verdict has %d bytes", len(all))
			}
			home, _ := os.UserHomeDir()
			for _, word := range []string{secret, home + "/", os.TempDir() + "/marginalia"} {
				if strings.Contains(string(all), word) {
					t.Errorf("the guest knows of %q", word)
				}
			}
			for _, escaped := range []string{"escaped", "/escaped", filepath.Join(os.TempDir(), "escaped"), filepath.Join(home, "escaped")} {
				if os.Remove(escaped) == nil {
					t.Errorf("the guest has written %s", escaped)
				}
			}
		})
	}
	for name, files := range map[string][]txtar.File{"hostile": nil, "wide": {{Name: "wide"}}} {
		v := must.Get(graders[name].Grade(t.Context(), "ada", hostile(t, &txtar.Archive{Files: files}))).Or(t)
		gradetest.CheckMarks(t, v, nil)
	}
}

// checkTold looks for a number of the hidden tests, for a solution's fields, and for characters that control a terminal in
// what a student reads.
func checkTold(t *testing.T, v *verdict.Notebook, attack *txtar.Archive) {
	t.Helper()
	secrets := []string{"1234567", "privyAll", "\x1b"}
	for _, f := range attack.Files {
		if f.Name == "secret" {
			secrets = append(secrets, strings.Fields(string(f.Data))...)
		}
	}
	var told strings.Builder
	for _, test := range v.Tests {
		told.WriteString(grade.Told(test))
	}
	for _, n := range v.Notes {
		fmt.Fprintln(&told, n.Cell, n.Text)
	}
	for _, secret := range secrets {
		if slices.ContainsFunc(attack.Files, func(f txtar.File) bool { return f.Name != "secret" && strings.Contains(string(f.Data), secret) }) {
			continue // a guess that its student has made
		}
		if _, after, found := strings.Cut(told.String(), secret); found {
			t.Errorf("the student reads %q, before %.60q", secret, after)
		}
	}
}

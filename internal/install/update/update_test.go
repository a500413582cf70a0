package update

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marginalia/internal/notebook/merge"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// TestMain runs Run in a process that TestKilled kills: it tells each step, and waits.
func TestMain(m *testing.M) {
	root := os.Getenv("UPDATE_ROOT")
	if root == "" {
		os.Exit(m.Run())
	}
	step = func(done string) {
		fmt.Println(done)
		bufio.NewReader(os.Stdin).ReadString('\n')
	}
	silent := func(string) {}
	if err := Run(context.Background(), Options{Root: root, Say: silent, Complain: silent}); err != nil {
		panic(err)
	}
}

// A course is a repository with lectures, and a clone in which a reader works.
type course struct {
	t              *testing.T
	origin, clone  string
	said, demanded []string // by the last update
}

func newCourse(t *testing.T, lectures map[string]string) *course {
	t.Helper()
	dir := t.TempDir()
	for key, value := range map[string]string{"GIT_CONFIG_GLOBAL": filepath.Join(dir, "gitconfig"), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CEILING_DIRECTORIES": dir} {
		t.Setenv(key, value)
	}
	testfile.Write(t, filepath.Join(dir, "gitconfig"), "[user]\nname = N\nemail = n@example.org\n[init]\ndefaultBranch = main\n")
	c := &course{t: t, origin: filepath.Join(dir, "origin"), clone: filepath.Join(dir, "clone")}
	testfile.Write(t, filepath.Join(c.origin, ".gitignore"), "/notebooks/own/\n")
	testfile.Write(t, filepath.Join(c.origin, "mlkit.go"), "package mlkit\n")
	run(t, c.origin, "init", "--quiet")
	c.publish(lectures)
	run(t, dir, "clone", "--quiet", "origin", "clone")
	return c
}

// publish commits lectures, given by their names in short, as notebookOf has it.
func (c *course) publish(lectures map[string]string) {
	c.t.Helper()
	for name, short := range lectures {
		testfile.Write(c.t, filepath.Join(c.origin, "notebooks", name), notebookOf(c.t, short))
	}
	run(c.t, c.origin, "add", "--all")
	run(c.t, c.origin, "commit", "--quiet", "--message", "lectures")
}

func run(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

// notebookOf makes a file of cells separated by blanks, each an id and after a colon its source.
func notebookOf(t *testing.T, short string) []byte {
	t.Helper()
	nb := &nbformat.Notebook{Minor: 5, Metadata: map[string]any{}}
	for word := range strings.FieldsSeq(short) {
		id, source, _ := strings.Cut(word, ":")
		nb.Cells = append(nb.Cells, &nbformat.Cell{ID: id, Type: "markdown", Source: source})
	}
	return must.Get(nb.Encode()).Or(t)
}

// cells is a file in short.
func (c *course) cells(name string) string {
	c.t.Helper()
	nb := must.Get(nbformat.Read(c.at(name))).Or(c.t)
	var words []string
	for _, cell := range nb.Cells {
		if cell.Source == merge.Note {
			cell.Source = "note"
		}
		words = append(words, cell.ID+":"+cell.Source)
	}
	return strings.Join(words, " ")
}

func (c *course) at(name string) string { return filepath.Join(c.clone, "notebooks", name) }

// edit is what a reader does in JupyterLab: own has the copy then.
func (c *course) edit(lecture, short string) {
	c.t.Helper()
	was := []byte(testfile.Read(c.t, c.at(lecture)))
	nb := must.Get(nbformat.Decode(notebookOf(c.t, short))).Or(c.t)
	testfile.Write(c.t, c.at(filepath.Join("own", copyOf(lecture))), must.Get(encode(nb, lecture, blob(was))).Or(c.t))
}

func (c *course) update(check bool) error {
	c.said, c.demanded = nil, nil
	return Run(c.t.Context(), Options{Root: c.clone, Check: check,
		Say:      func(line string) { c.said = append(c.said, line) },
		Complain: func(line string) { c.demanded = append(c.demanded, line) },
		Now:      func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }})
}

// files are all of the clone, except git's own, with their content.
func (c *course) files() map[string]string {
	all := map[string]string{}
	must.Do(c.t, filepath.WalkDir(c.clone, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == ".git" {
			return fs.SkipDir
		}
		if err == nil && !d.IsDir() && d.Name() != lockName {
			all[must.Get(filepath.Rel(c.clone, p)).Or(c.t)] = testfile.Read(c.t, p)
		}
		return err
	}))
	return all
}

// want fails unless a text has all parts.
func want(t *testing.T, what string, lines []string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if text := strings.Join(lines, "\n"); !strings.Contains(text, part) {
			t.Errorf("%s says %q, want %q", what, text, part)
		}
	}
}

// New lectures come, copies take what is new and keep what the reader wrote; the tracked files are
// those of git. A dry run says the same and writes nothing. A second update changes nothing.
func TestUpdate(t *testing.T) {
	c := newCourse(t, map[string]string{"1.ipynb": "a:1 b:2", "exercises/1.ipynb": "a:task", "2.ipynb": "a:1"})
	c.edit("1.ipynb", "a:1 mine:m b:mine")
	c.edit("exercises/1.ipynb", "a:answer")
	testfile.Write(t, c.at("own/notes.ipynb"), notebookOf(t, "a:1"))
	c.publish(map[string]string{"1.ipynb": "a:new b:new", "exercises/1.ipynb": "a:task b:2", "3.ipynb": "a:1"})

	before := c.files()
	must.Do(t, c.update(true))
	want(t, "--check", c.said, "would come", "new: 3.ipynb", "changed: 1.ipynb, exercises/1.ipynb", "own/lectures/1.ipynb would take from its lecture: cells changed (a); changed there and by you")
	if !maps.Equal(c.files(), before) {
		t.Error("--check has changed files")
	}
	must.Do(t, c.update(false))
	want(t, "update", c.said, "are here", "new: 3.ipynb", "own/lectures/1.ipynb has taken from its lecture: cells changed (a); changed there and by you, so that both versions stand in the copy (b) (as it was: notebooks/own/backups/lectures/1-2026-11-30T120000Z.ipynb)")
	for name, want := range map[string]string{
		"own/lectures/1.ipynb": "a:new mine:m b-note-S:note b-lecture-S:new b:mine", "own/exercises/1.ipynb": "a:answer b:2", "own/notes.ipynb": "a:1",
		"own/backups/lectures/1-2026-11-30T120000Z.ipynb": "a:1 mine:m b:mine", "3.ipynb": "a:1", "1.ipynb": "a:new b:new",
	} {
		sum := "d29cd383" // printf 'markdown\nnew' | sha256sum
		if got := strings.ReplaceAll(c.cells(name), sum, "S"); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	run(t, c.clone, "diff", "--quiet", "HEAD")
	after := c.files()
	must.Do(t, c.update(false))
	want(t, "a second update", c.said, "are those of origin/main", "copies with all that is in their lectures: 2")
	if now := c.files(); !maps.Equal(now, after) {
		t.Errorf("a second update has changed files: %q, before %q", slices.Sorted(maps.Keys(now)), slices.Sorted(maps.Keys(after)))
	}
	// A page of JupyterLab still has what it had before the merge, and saves that.
	testfile.Write(t, c.at("own/lectures/1.ipynb"), after["notebooks/own/backups/lectures/1-2026-11-30T120000Z.ipynb"])
	must.Do(t, c.update(false))
	if got := c.files()["notebooks/own/lectures/1.ipynb"]; got != after["notebooks/own/lectures/1.ipynb"] {
		t.Errorf("saved over the merge, and updated: %s", got)
	}
}

// What was changed in the lectures themselves, before there were copies, becomes a copy; then git
// can pull. What is no notebook any more is kept byte for byte.
func TestChangedLectures(t *testing.T) {
	c := newCourse(t, map[string]string{"1.ipynb": "a:1 b:2", "2.ipynb": "a:1", "3.ipynb": "a:1", "4.ipynb": "a:1", "solutions/1.ipynb": "a:1"})
	c.edit("2.ipynb", "a:copy")
	testfile.Write(t, c.at("1.ipynb"), notebookOf(t, "a:mine b:2"))
	testfile.Write(t, c.at("2.ipynb"), notebookOf(t, "a:file"))
	testfile.Write(t, c.at("3.ipynb"), "cut off")
	testfile.Write(t, c.at("solutions/1.ipynb"), notebookOf(t, "a:staged"))
	run(t, c.clone, "add", "notebooks/solutions/1.ipynb")
	must.Do(t, os.Remove(c.at("4.ipynb")))
	c.publish(map[string]string{"1.ipynb": "a:1 b:new", "2.ipynb": "a:1 b:2", "3.ipynb": "a:1 b:2", "4.ipynb": "a:1 b:2", "solutions/1.ipynb": "a:1 b:2"})

	before := c.files()
	if err := c.update(true); err != ErrIncomplete {
		t.Errorf("error %v, want %v", err, ErrIncomplete)
	}
	want(t, "--check", c.said, "your changes in notebooks/1.ipynb would go to notebooks/own/lectures/1.ipynb", "own/lectures/1.ipynb would take from its lecture: cells changed (b)")
	if !maps.Equal(c.files(), before) {
		t.Error("--check has changed files")
	}
	// The one that is no notebook is complained of.
	if err := c.update(false); err != ErrIncomplete {
		t.Errorf("error %v, want %v; %q", err, ErrIncomplete, c.demanded)
	}
	want(t, "update", c.demanded, "own/lectures/3.ipynb stays as it is")
	want(t, "update", c.said, "your changes in notebooks/1.ipynb are now in notebooks/own/lectures/1.ipynb", "notebooks/4.ipynb was deleted; it is there again")
	for name, want := range map[string]string{
		"own/lectures/1.ipynb": "a:mine b:new", "own/lectures/2.ipynb": "a:copy b:2", "own/lectures/2-2.ipynb": "a:file b:2", "own/solutions/1.ipynb": "a:staged b:2",
		"1.ipynb": "a:1 b:new", "2.ipynb": "a:1 b:2", "3.ipynb": "a:1 b:2", "4.ipynb": "a:1 b:2", "solutions/1.ipynb": "a:1 b:2",
	} {
		if got := c.cells(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if got := testfile.Read(t, c.at("own/lectures/3.ipynb")); got != "cut off" {
		t.Errorf("the file that was cut off is %q", got)
	}
	run(t, c.clone, "diff", "--quiet", "HEAD")
}

// What git add has put into the index may be another version than the file's, or all that is left
// of it: it becomes a copy, too. What is only staged as the lecture was is not one.
func TestStaged(t *testing.T) {
	c := newCourse(t, map[string]string{"1.ipynb": "a:1", "2.ipynb": "a:1", "3.ipynb": "a:1", "4.ipynb": "a:1"})
	given := notebookOf(t, "a:1")
	for name, file := range map[string][]byte{"1.ipynb": notebookOf(t, "a:later"), "2.ipynb": nil, "3.ipynb": given, "4.ipynb": notebookOf(t, "a:staged")} {
		testfile.Write(t, c.at(name), notebookOf(t, "a:staged"))
		run(t, c.clone, "add", "notebooks/"+name)
		if must.Do(t, os.Remove(c.at(name))); file != nil {
			testfile.Write(t, c.at(name), file)
		}
	}
	before := c.files()
	must.Do(t, c.update(true))
	want(t, "--check", c.said, "your staged changes in notebooks/1.ipynb would go to notebooks/own/lectures/1-2.ipynb")
	if !maps.Equal(c.files(), before) {
		t.Error("--check has changed files")
	}
	must.Do(t, c.update(false))
	got := map[string]string{}
	for _, name := range must.Get(filepath.Glob(c.at("own/lectures/*"))).Or(t) {
		got[filepath.Base(name)] = c.cells("own/lectures/" + filepath.Base(name))
	}
	if want := map[string]string{"1.ipynb": "a:later", "1-2.ipynb": "a:staged", "2.ipynb": "a:staged", "3.ipynb": "a:staged", "4.ipynb": "a:staged"}; !maps.Equal(got, want) {
		t.Errorf("copies %q, want %q", got, want)
	}
	run(t, c.clone, "diff", "--quiet", "HEAD")
}

// In a clone whose files git gives other line ends, and which has the last commit alone, a copy takes
// what is new in its lecture, and nothing where nothing is; --check says the same.
func TestLineEnds(t *testing.T) {
	c := newCourse(t, map[string]string{"1.ipynb": "a:1 b:2", "2.ipynb": "a:1 b:2"})
	must.Do(t, os.RemoveAll(c.clone))
	run(t, filepath.Dir(c.clone), "clone", "--quiet", "--depth", "1", "--config", "core.autocrlf=true", "file://"+c.origin, "clone")
	lecture := testfile.Read(t, c.at("1.ipynb"))
	if !strings.Contains(lecture, "\r\n") {
		t.Fatalf("the lecture is %q", lecture)
	}
	c.edit("1.ipynb", "a:mine b:2")
	testfile.Write(t, c.at("own/.bases/"+blob([]byte(lecture))+".ipynb"), lecture) // as JupyterLab does
	testfile.Write(t, c.at("2.ipynb"), strings.ReplaceAll(string(notebookOf(t, "a:mine b:2")), "\n", "\r\n"))
	for _, version := range []string{"", "new", "newer"} {
		merges := 0
		if version != "" {
			c.publish(map[string]string{"1.ipynb": "a:1 b:" + version, "2.ipynb": "a:1 b:" + version})
			merges = 2
		}
		for _, check := range []bool{true, false} {
			must.Do(t, c.update(check))
			said := strings.Join(c.said, "\n")
			if got := strings.Count(said, " from its lecture: "); got != merges || strings.Count(said, " from its lecture: cells changed (b)") != merges {
				t.Errorf("%q, check %v: it says %s", version, check, said)
			}
		}
	}
	for _, name := range []string{"own/lectures/1.ipynb", "own/lectures/2.ipynb"} {
		if got, want := c.cells(name), "a:mine b:newer"; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// What is staged while git waits for the end of a merge or a rebase is a part of that, and stays.
func TestUnderWay(t *testing.T) {
	for _, tt := range []struct {
		do   [][]string
		want string
	}{
		{[][]string{{"merge", "--no-commit", "--no-ff", "other"}}, "MERGE_HEAD"},
		{[][]string{{"cherry-pick", "--no-commit", "other"}, {"update-ref", "CHERRY_PICK_HEAD", "other"}}, "CHERRY_PICK_HEAD"},
		{[][]string{{"-c", "sequence.editor=sed -i s/pick/edit/", "rebase", "--quiet", "--interactive", "--force-rebase", "HEAD~1"}, {"checkout", "--quiet", "other", "--", "notebooks"}}, "rebase-merge"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			c := newCourse(t, map[string]string{"1.ipynb": "a:1"})
			c.publish(map[string]string{"2.ipynb": "a:1"})
			run(t, c.clone, "pull", "--quiet")
			run(t, c.clone, "switch", "--quiet", "--create", "other")
			testfile.Write(t, c.at("1.ipynb"), notebookOf(t, "a:other"))
			run(t, c.clone, "commit", "--quiet", "--all", "--message", "other")
			run(t, c.clone, "switch", "--quiet", "main")
			for _, args := range tt.do {
				run(t, c.clone, args...)
			}
			if err := c.update(false); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %s", err, tt.want)
			}
			run(t, c.clone, "diff", "--quiet", "--cached", "other", "--", "notebooks")
			if got := c.cells("1.ipynb"); got != "a:other" {
				t.Errorf("the lecture: %s", got)
			}
		})
	}
}

// own, a folder in it and a copy may be links to another disk. Their copies are merged, the links
// stay, and the versions that they were made from are kept. A link to its own folder, and one to nothing, do no harm.
func TestLinks(t *testing.T) {
	for _, linked := range []string{"own", "own/lectures", "own/lectures/1.ipynb"} {
		t.Run(linked, func(t *testing.T) {
			c := newCourse(t, map[string]string{"1.ipynb": "a:1 b:2"})
			c.edit("1.ipynb", "a:mine b:2")
			base := blob([]byte(testfile.Read(t, c.at("1.ipynb"))))
			testfile.Write(t, c.at("own/.bases/"+base+".ipynb"), testfile.Read(t, c.at("1.ipynb"))) // as JupyterLab does
			there := filepath.Join(t.TempDir(), "there")
			must.Do(t, os.Rename(c.at(linked), there))
			must.Do(t, os.Symlink(there, c.at(linked)))
			must.Do(t, os.Symlink(".", c.at("own/round")))
			must.Do(t, os.Symlink("nothing", c.at("own/nothing.ipynb")))
			must.Do(t, c.update(false))
			if got := testfile.Read(t, c.at("own/.bases/"+base+".ipynb")); blob([]byte(got)) != base {
				t.Errorf("the copy's version is %q", got)
			}
			c.publish(map[string]string{"1.ipynb": "a:1 b:new"})
			must.Do(t, c.update(false))
			if got, want := c.cells("own/lectures/1.ipynb"), "a:mine b:new"; got != want {
				t.Errorf("the copy: %s, want %s", got, want)
			}
			if to, err := os.Readlink(c.at(linked)); to != there {
				t.Errorf("the link leads to %q, %v", to, err)
			}
		})
	}
}

// A copy that was put over its lecture (cp, git checkout of an older state) says what it was made
// from: what is new since then comes.
func TestCopyOverLecture(t *testing.T) {
	c := newCourse(t, map[string]string{"1.ipynb": "a:1"})
	c.edit("1.ipynb", "a:1 mine:m")
	copied := testfile.Read(t, c.at("own/lectures/1.ipynb"))
	must.Do(t, os.RemoveAll(c.at("own")))
	c.publish(map[string]string{"1.ipynb": "a:1 b:2"})
	must.Do(t, c.update(false))
	testfile.Write(t, c.at("1.ipynb"), copied)
	c.publish(map[string]string{"1.ipynb": "a:1 b:2 c:3"})
	must.Do(t, c.update(false))
	if got, want := c.cells("own/lectures/1.ipynb"), "a:1 mine:m b:2 c:3"; got != want {
		t.Errorf("the copy: %s, want %s", got, want)
	}
}

// Where git cannot pull, update says why and what to do, and merges what is there.
func TestNoPull(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(*course)
		want string
	}{
		{"no network", func(c *course) {
			run(t, c.clone, "remote", "set-url", "origin", "https://nowhere.invalid/x")
		}, "origin cannot be reached (git fetch: "},
		{"no remote", func(c *course) { run(t, c.clone, "remote", "remove", "origin") }, "the branch main follows none of a remote (git remote add"},
		{"no branch", func(c *course) { run(t, c.clone, "checkout", "--quiet", "--detach") }, "no branch is checked out (git switch"},
		{"a changed file", func(c *course) { testfile.Write(t, filepath.Join(c.clone, "mlkit.go"), "package mine\n") }, "these files are changed: mlkit.go. Commit them, or undo"},
		{"commits", func(c *course) {
			run(t, c.clone, "commit", "--quiet", "--allow-empty", "--message", "mine")
		}, "has commits that origin/main lacks: put them on top of it (git pull --rebase)"},
		{"a file in the way", func(c *course) { testfile.Write(t, c.at("3.ipynb"), "mine") }, "would be overwritten by merge: notebooks/3.ipynb"},
		{"an ignored file in the way", func(c *course) {
			testfile.Write(t, filepath.Join(c.clone, ".git", "info", "exclude"), "3.ipynb\n")
			testfile.Write(t, c.at("3.ipynb"), "mine")
		}, "would be overwritten by merge: notebooks/3.ipynb"},
		{"no clone", func(c *course) { must.Do(t, os.RemoveAll(filepath.Join(c.clone, ".git"))) }, "is no clone: clone the repository, or unpack a newer one over it"},
		{"no git", func(c *course) { c.t.Setenv("PATH", c.t.TempDir()) }, "there is no git in PATH"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newCourse(t, map[string]string{"1.ipynb": "a:1 b:2"})
			c.edit("1.ipynb", "a:mine b:2")
			must.Do(t, c.update(false)) // the copy's version is kept beside it
			c.publish(map[string]string{"3.ipynb": "a:1"})
			tt.do(c)
			if tt.name == "no clone" { // a newer archive is unpacked over the folder
				u := &updater{own: c.at("own")}
				must.Do(t, u.keepBase([]byte(testfile.Read(t, c.at("1.ipynb"))))) // as JupyterLab does when it makes a copy
				testfile.Write(t, c.at("1.ipynb"), notebookOf(t, "a:1 b:new"))
			}
			if err := c.update(false); err != ErrIncomplete {
				t.Errorf("error %v, want %v", err, ErrIncomplete)
			}
			want(t, "update", c.demanded, tt.want)
			if got, want := c.cells("own/lectures/1.ipynb"), map[bool]string{true: "a:mine b:new", false: "a:mine b:2"}[tt.name == "no clone"]; got != want {
				t.Errorf("the copy: %s, want %s", got, want)
			}
		})
	}
}

// Twenty updates in a row pull and merge. Backups beyond the last five of a copy go, and versions
// that nothing was made from.
func TestBounded(t *testing.T) {
	c := newCourse(t, map[string]string{"1.ipynb": "a:0"})
	c.edit("1.ipynb", "a:0 mine:m")
	for i := range 20 {
		c.publish(map[string]string{"1.ipynb": fmt.Sprint("a:", i+1)})
		must.Do(t, c.update(false))
		run(t, c.clone, "diff", "--quiet", "origin/main")
	}
	if got := c.cells("own/lectures/1.ipynb"); got != "a:20 mine:m" {
		t.Errorf("the copy: %s", got)
	}
	backups := must.Get(filepath.Glob(c.at("own/backups/lectures/*"))).Or(t)
	bases := must.Get(filepath.Glob(c.at("own/.bases/*"))).Or(t)
	if len(backups) != 5 || len(bases) != 6 { // those of the backups, and the copy's
		t.Errorf("%d backups %q and %d versions, want 5 and 6", len(backups), backups, len(bases))
	}
}

// TestKilled kills an update between any two things that it writes. Each time every notebook is
// the old one or the new one, and the next update makes what one that nobody killed makes.
func TestKilled(t *testing.T) {
	for _, at := range []string{"copied", "backup", "merged"} {
		t.Run(at, func(t *testing.T) {
			c := newCourse(t, map[string]string{"1.ipynb": "a:1 b:2", "2.ipynb": "a:1"})
			c.edit("1.ipynb", "a:mine b:2")
			testfile.Write(t, c.at("2.ipynb"), notebookOf(t, "a:mine")) // changed itself
			c.publish(map[string]string{"1.ipynb": "a:new b:new", "2.ipynb": "a:1 b:2"})
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "UPDATE_ROOT="+c.clone)
			in, out := must.Get(cmd.StdinPipe()).Or(t), must.Get(cmd.StdoutPipe()).Or(t)
			must.Do(t, cmd.Start())
			for steps := bufio.NewScanner(out); steps.Scan() && steps.Text() != at; {
				must.Get(io.WriteString(in, "\n")).Or(t)
			}
			must.Do(t, cmd.Process.Kill())
			if err := cmd.Wait(); err == nil {
				t.Fatalf("it ended before %q", at)
			}
			all := map[string]bool{"a:mine b:2": true, "a:new b:new": true, "a:1 b:2": true, "a:1": true, "a:mine": true, "a-note-S:note a-lecture-S:new a:mine b:new": true}
			for name := range c.files() {
				if filepath.Ext(name) == ".ipynb" {
					// printf 'markdown\nnew' | sha256sum
					if got := strings.ReplaceAll(c.cells(strings.TrimPrefix(name, "notebooks/")), "d29cd383", "S"); !all[got] {
						t.Errorf("killed at %q, %s is %s", at, name, got)
					}
				}
			}
			must.Do(t, c.update(false))
			for name, want := range map[string]string{"own/lectures/1.ipynb": "a-note-S:note a-lecture-S:new a:mine b:new", "own/lectures/2.ipynb": "a:mine b:2", "1.ipynb": "a:new b:new", "2.ipynb": "a:1 b:2"} {
				if got := strings.ReplaceAll(c.cells(name), "d29cd383", "S"); got != want {
					t.Errorf("killed at %q and updated, %s is %s, want %s", at, name, got, want)
				}
			}
			if copies := must.Get(filepath.Glob(c.at("own/lectures/*.ipynb"))).Or(t); len(copies) != 2 {
				t.Errorf("copies %q", copies)
			}
			run(t, c.clone, "diff", "--quiet", "HEAD")
		})
	}
}

// A pull that was killed leaves files of the new commit beside those of the old one. They are not
// the reader's.
func TestKilledPull(t *testing.T) {
	c := newCourse(t, map[string]string{"1.ipynb": "a:1"})
	c.publish(map[string]string{"1.ipynb": "a:new"})
	testfile.Write(t, filepath.Join(c.origin, "mlkit.go"), "package new\n")
	c.publish(nil)
	run(t, c.clone, "fetch", "--quiet")
	for _, name := range []string{"notebooks/1.ipynb", "mlkit.go"} {
		testfile.Write(t, filepath.Join(c.clone, name), testfile.Read(t, filepath.Join(c.origin, name)))
	}
	must.Do(t, c.update(false))
	if _, err := os.Stat(c.at("own")); err == nil || c.cells("1.ipynb") != "a:new" {
		t.Errorf("the lecture is %s; own: %v", c.cells("1.ipynb"), err)
	}
}

// The metadata of a copy is what contents.py writes and reads.
func TestMark(t *testing.T) {
	data := must.Get(encode(&nbformat.Notebook{Metadata: map[string]any{}}, "1.ipynb", "sum")).Or(t)
	var file struct {
		Metadata struct {
			Marginalia struct{ Copy struct{ Of, Base string } }
		}
	}
	must.Do(t, json.Unmarshal(data, &file))
	if got := file.Metadata.Marginalia.Copy; got.Of != "1.ipynb" || got.Base != "sum" {
		t.Errorf("%s", data)
	}
	if nb, of, base, err := decode(data); err != nil || of != "1.ipynb" || base != "sum" || len(nb.Metadata) != 0 {
		t.Errorf("%v %q %q %v", nb.Metadata, of, base, err)
	}
	// git hash-object of a file with "x\n".
	if got := blob([]byte("x\n")); got != "587be6b4c3f93f93c489c0111bba5596147a26cb" {
		t.Errorf("sum %s", got)
	}
}

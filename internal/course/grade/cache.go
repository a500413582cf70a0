package grade

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/base/buildcache"
	"marginalia/internal/course"
	"marginalia/internal/course/release"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/sandbox/assignment"
)

// Builder makes judges, and keeps them in the user's cache.
type Builder struct {
	Root string // of the repository
	code string // see Code
}

// started is the environment with which this program was started: goimports, where it has to look for packages, leaves
// settings in that of the process.
var started = os.Environ()

// marking are the folders of the repository that marks depend on: the rooms that grading is made of, and
// what answers and tests may import.
var marking = []string{"go.mod", "go.sum", "internal/course", "internal/sandbox", "internal/gotest", "internal/notebook", "internal/cell", "internal/build", "internal/base",
	"mlkit", "plotting", "datasets", "timing", "show"}

// Code is a hash of all that marks depend on beside the assignment and the submission: the
// repository's code, the modules it needs, the toolchain and its settings.
func (b *Builder) Code(ctx context.Context) (string, error) {
	if b.code != "" {
		return b.code, nil
	}
	h := sha256.New()
	// What "go env -w" has set counts, too. The processor's version and build tags do not: see assignment.BuildJudge.
	env := exec.CommandContext(ctx, "go", "env", "GOVERSION", "GOOS", "GOARCH", "GO386", "GOARM", "GOEXPERIMENT", "GOFLAGS", "GOWORK")
	env.Dir, env.Env = b.Root, started
	out, err := env.Output()
	if err != nil {
		return "", fmt.Errorf("go env: %w", err)
	}
	h.Write(out)
	for _, name := range marking {
		top := filepath.Join(b.Root, filepath.FromSlash(name))
		err := filepath.WalkDir(top, func(at string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(at, "_test.go") || filepath.Ext(at) != ".go" && at != top {
				return err
			}
			data, err := os.ReadFile(at)
			fmt.Fprintf(h, "%s %x\n", strings.TrimPrefix(at, b.Root), sha256.Sum256(data))
			return err
		})
		if err != nil {
			return "", fmt.Errorf("grade: %w", err)
		}
	}
	b.code = hex.EncodeToString(h.Sum(nil))
	return b.code, nil
}

// Judge returns the file of an assignment's judge, which it builds unless the cache has it.
func (b *Builder) Judge(ctx context.Context, a *assignment.Assignment) (string, error) {
	code, err := b.Code(ctx)
	if err != nil {
		return "", err
	}
	files, err := a.Judge(ctx)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintln(h, code)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%s %x\n", name, sha256.Sum256(files[name]))
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "marginalia", "judge-"+hex.EncodeToString(h.Sum(nil))[:32])
	err = buildcache.Get(ctx, dir, nil, func(tmp string, _ *os.File) error {
		_, err := a.BuildJudge(ctx, tmp)
		return err
	})
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "judge"), nil
}

// Grader returns a grader for a lecturer's notebook. What its solution makes of the tests is kept
// beside the judge.
func (b *Builder) Grader(ctx context.Context, nb *nbformat.Notebook, settings Settings) (*Grader, error) {
	a, err := assignment.Read(ctx, nb, b.Root)
	if err != nil {
		return nil, err
	}
	a.MayImport = settings.MayImport
	program, err := b.Judge(ctx, a)
	if err != nil {
		return nil, err
	}
	g := &Grader{Assignment: a, Judge: NewProcess(program, settings.Dir), TimeFactor: settings.TimeFactor, Memory: settings.Memory}
	h := sha256.New()
	for _, f := range settings.Files {
		g.Files = append(g.Files, f.Path)
		fmt.Fprintf(h, "%q %x\n", f.Path, sha256.Sum256(f.Data))
	}
	g.data = hex.EncodeToString(h.Sum(nil))
	fmt.Fprintln(h, settings.Memory)
	for _, c := range a.Cells {
		fmt.Fprintf(h, "%q %q\n", c.ID, c.Source)
	}
	file := filepath.Join(filepath.Dir(program), "key-"+hex.EncodeToString(h.Sum(nil))[:32]+".json")
	if data, err := os.ReadFile(file); err == nil && json.Unmarshal(data, &g.Key) == nil {
		return g, nil
	}
	defer g.Close()
	if err := g.Learn(ctx, nb); err != nil {
		return nil, err
	}
	data, err := json.Marshal(g.Key)
	if err != nil {
		return nil, err
	}
	return g, atomicfile.Write(file, data)
}

// Settings are what a course says of judging, and what lies beside the notebook.
type Settings struct {
	MayImport  func(path string) bool
	TimeFactor float64
	Memory     int64 // bytes
	Dir        string
	Files      []release.File // in Dir, for tests and answers to read
	// Note takes what a release is said besides: lines by which right answers may lose their marks.
	Note func(text string)
}

// SettingsOf are the settings of an assignment of a course.
func SettingsOf(c *course.Course, a *release.Handout) Settings {
	s := c.Settings(a.Name)
	return Settings{MayImport: s.MayImport, TimeFactor: s.TimeFactor, Memory: s.Memory, Dir: a.Dir, Files: a.Files}
}

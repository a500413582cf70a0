package site

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/base/processes"
	"marginalia/internal/base/setup"
	"marginalia/internal/install/venv"
)

// Options say what is made and where.
type Options struct {
	Out    string // the folder of the site; it must be new, empty, or an older site
	Source string // address of the repository's files on the web, or the course's, before their paths; "": files are copied into the site
	Course string // folder of a course, whose site is made; "": the lectures'
	Cells  bool   // cells run in their pages, and there is a lab
}

// Validate returns an error that names the option at fault, if there is one.
func (o Options) Validate() error {
	_, err := sourceURL(o.Source)
	return err
}

// A Report sums up a build.
type Report struct {
	Pages int   // HTML files
	Files int   // all files
	Bytes int64 // of all files

	Faults []error  // of a course: what is wrong with its files, though its pages were made
	Read   []string // of a course: the files that its sliders and cells may read, and that the site has for them
}

// Build makes the site of the repository at root, or of a course, and puts it in the place of the old
// one. If the build fails, the old site stays. Steps are told to p.
func Build(ctx context.Context, root string, o Options, p setup.Progress) (Report, error) {
	_, r, err := build(ctx, root, o, p)
	return r, err
}

// build is Build. It also returns what [Live] needs to make single pages anew.
func build(ctx context.Context, root string, o Options, p setup.Progress) (*built, Report, error) {
	if ctx.Err() != nil {
		return nil, Report{}, context.Cause(ctx)
	}
	if err := o.Validate(); err != nil {
		return nil, Report{}, err
	}
	out, err := filepath.Abs(o.Out)
	if err != nil {
		return nil, Report{}, fmt.Errorf("site: %w", err)
	}
	if err := replaceable(out); err != nil {
		return nil, Report{}, err
	}
	source, err := sourceURL(o.Source)
	if err != nil {
		return nil, Report{}, err
	}
	b, err := newBook(root, o.Course)
	if err != nil {
		return nil, Report{}, err
	}
	if o.Cells {
		if err := b.clear("go", "lab"); err != nil {
			return nil, Report{}, fmt.Errorf("%w, %w", err, errWithoutCells)
		}
	}
	env, err := environment(ctx, p)
	if err != nil {
		return nil, Report{}, err
	}
	cache, err := setup.Cache()
	if err != nil {
		return nil, Report{}, err
	}
	work := filepath.Join(cache, fmt.Sprintf("site-%.6x", sha256.Sum256([]byte(root+"\n"+b.dir))))
	held, err := setup.Lock(ctx, work+".lock", p)
	if err != nil {
		return nil, Report{}, err
	}
	defer held.Close()

	end := p.Begin("compiling playgrounds and sliders")
	var moving living
	if err = b.join(filepath.Join(work, "modules")); err == nil {
		moving, err = buildLiving(ctx, b, filepath.Join(work, "live"))
	}
	end(err)
	if err != nil {
		return nil, Report{}, err
	}
	var run running
	if o.Cells && (!b.course() || len(b.goNotebooks()) > 0) {
		if run, err = prepareCells(ctx, b, filepath.Join(work, "go"), env.Python(), p); err != nil {
			return nil, Report{}, fmt.Errorf("%w\n%w", err, errWithoutCells)
		}
	}
	end = p.Begin("reading notebooks, packages and pages")
	var s *stage
	l, err := loadLibrary(ctx, b)
	if err == nil {
		s = newStage(b, filepath.Join(work, "src"), source, l)
		s.living, s.run = moving, run
		err = s.all(ctx)
	}
	end(err)
	if err != nil {
		return nil, Report{}, err
	}
	end = p.Begin("making the pages")
	sum, err := s.sum()
	if err == nil {
		var said []string
		said, err = sphinx(ctx, env, work, sum)
		for _, line := range said {
			err = errors.Join(err, b.fault(fmt.Errorf("site: %s", s.located(line))))
		}
	}
	end(err)
	if err != nil {
		return nil, Report{}, err
	}
	end = p.Begin("putting the site together")
	report, err := finish(filepath.Join(work, "html"), s, out)
	report.Faults, report.Read = b.faults, s.read()
	end(err)
	return &built{s, env, work, sum, out}, report, err
}

// environment returns Sphinx's environment, which it makes unless it is there.
func environment(ctx context.Context, p setup.Progress) (venv.Env, error) {
	e, err := venv.InCache("site", venv.SitePins)
	if err != nil {
		return e, err
	}
	e.What = "Sphinx " + e.Pinned("sphinx") + " and what the site needs"
	if state, _ := e.State(ctx); state == venv.Whole {
		return e, nil
	}
	python, err := venv.Find(ctx)
	if err != nil {
		return e, err
	}
	if python.Major == 3 && python.Minor < 11 {
		return e, fmt.Errorf("site: Sphinx needs Python 3.11 or newer, and this is %v: name a newer one in MARGINALIA_PYTHON", python)
	}
	return e, e.Ensure(ctx, p)
}

// sphinx makes the pages of the staged sources, and returns its warnings. It begins anew
// if what all pages depend on, by its sum, is not what it was, and after an error or a warning, since it
// would be silent about pages that it has read.
func sphinx(ctx context.Context, e venv.Env, work, sum string) (said []string, err error) {
	last := filepath.Join(work, "sum")
	if old, err := os.ReadFile(last); err != nil || string(old) != sum {
		if err := forget(work); err != nil {
			return nil, err
		}
	}
	if err := os.RemoveAll(last); err != nil { // a build that is killed is not continued
		return nil, fmt.Errorf("site: %w", err)
	}
	warnings := filepath.Join(work, "warnings.txt")
	cmd := processes.Command(ctx, e.Python(), "-m", "sphinx", "-b", "html", "-q", "-j", "auto", "-w", warnings,
		"-d", filepath.Join(work, "doctrees"), filepath.Join(work, "src"), filepath.Join(work, "html"))
	cmd.Env = sphinxEnvironment()
	printed, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("site: Sphinx failed: %s", setup.Last(string(printed), err, "rror:"))
	}
	text, err := os.ReadFile(warnings)
	if err != nil {
		return nil, fmt.Errorf("site: %w", err)
	}
	if said = warningLines(string(text), filepath.Join(work, "src")); len(said) == 0 {
		return nil, atomicfile.Write(last, []byte(sum))
	}
	return said, nil
}

// sphinxEnvironment is the environment of Sphinx, without what the user has set for other Pythons.
func sphinxEnvironment() []string {
	return append(venv.Without(os.Environ(), "PYTHON", "VIRTUAL_ENV", "SPHINX"), "PYTHONNOUSERSITE=1", "PYTHONDONTWRITEBYTECODE=1", "NO_COLOR=1")
}

// warningLines are Sphinx's warnings, with paths from the folder of its sources.
func warningLines(text, src string) (said []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if n := len(said); n > 0 && strings.HasPrefix(line, " ") { // it goes on with what the line before says
			said[n-1] += " " + strings.TrimSpace(line)
		} else if line != "" {
			said = append(said, strings.ReplaceAll(line, src+string(filepath.Separator), ""))
		}
	}
	return said
}

// located is a warning of Sphinx with the cell in the place of the line that MyST-NB has for it, which
// counts ten thousand for each cell.
func (s *stage) located(warning string) string {
	m := warned.FindStringSubmatch(warning)
	if m == nil {
		return warning
	}
	rel, said := filepath.ToSlash(m[1]), m[3]
	line, err := strconv.Atoi(m[2])
	if cell := line/10000 - 1; err == nil && 0 <= cell && cell < len(s.order[rel]) {
		return s.where(rel, s.order[rel][cell]) + ": " + said
	}
	if path.Ext(rel) == ".ipynb" || m[2] == "" {
		return rel + ": " + said
	}
	return rel + ", line " + m[2] + ": " + said
}

// warned is a warning of Sphinx at a place, without the kind that it may end with.
var warned = regexp.MustCompile(`^(.+?\.(?:md|ipynb)):(?:([0-9]+):)? (?:WARNING|ERROR|CRITICAL|SEVERE): (.*?)(?: \[[a-z_.]+\])*$`)

// forget removes what Sphinx has made.
func forget(work string) error {
	for _, name := range []string{"sum", "doctrees", "html"} {
		if err := os.RemoveAll(filepath.Join(work, name)); err != nil {
			return fmt.Errorf("site: %w", err)
		}
	}
	return nil
}

package export_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/base/setup"
	"marginalia/internal/gotest/built"
	"marginalia/internal/gotest/celltest"
	"marginalia/internal/kernel"
	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbformat/nbtest"
	"marginalia/internal/notebook/outputs"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/reads"
	"marginalia/internal/testkit/tier"
)

func TestMain(m *testing.M) {
	jupyter.KeeperMain()
	celltest.StarterMain()
	os.Exit(reads.Short(m).Run())
}

// needKernel builds the pinned kernel. The test is skipped unless the tier kernel is
// asked for.
func needKernel(t *testing.T) (spec jupyter.Spec, root string) {
	t.Helper()
	tier.Kernel(t)
	root = repotest.Root(t)
	k := must.Get(kernel.Spec(t.Context(), root, setup.Lines(os.Stderr))).Or(t)
	return k, root
}

// TestTruth runs the notebooks of testdata/truth both ways, on the real kernel
// and as exported programs. What they print and show must be the same, stream
// for stream and MIME type for MIME type. No output is stored anywhere: the
// kernel is the truth.
func TestTruth(t *testing.T) {
	spec, root := needKernel(t)
	files, err := filepath.Glob("testdata/truth/*.ipynb")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".ipynb"), func(t *testing.T) {
			t.Parallel()
			nb := nbtest.Read(t, file)
			if nb.Language() != "go" {
				if _, err := built.Notebook(t.Context(), file, root); err == nil || !strings.Contains(err.Error(), "want Go") {
					t.Errorf("a notebook in %s: got error %v", nb.Language(), err)
				}
				return
			}
			onKernel := execute(t, spec, file, nb)
			b := build(t, file)
			untestable := 0
			for _, c := range b.Notebook.Cells {
				if c.Type != "code" {
					continue
				}
				res := b.Run(t.Context(), c.ID)
				if res.Untestable {
					untestable++
				}
				if res.Skipped != "" {
					continue
				}
				// Failures beside the outputs: tags that did not hold, problems.
				for _, f := range res.Failures {
					t.Errorf("%s: %s", c.ID, f)
				}
				o := must.Get(outputs.OptionsOf(c)).Or(t)
				for _, d := range outputs.Compare(onKernel[c.ID], res.Outputs, o) {
					t.Errorf("%s: kernel (-) and exported program (+) differ: %v", c.ID, d)
				}
			}
			// The three cells of programs.ipynb that are shell or beside it.
			if want := map[string]int{"programs": 3}[filepath.Base(strings.TrimSuffix(file, ".ipynb"))]; untestable != want {
				t.Errorf("%d cells are not testable, want %d", untestable, want)
			}
		})
	}
}

// execute runs all cells on a kernel of their own and returns the outputs by cell.
func execute(t *testing.T, spec jupyter.Spec, file string, nb *nbformat.Notebook) map[string][]nbformat.Output {
	t.Helper()
	dir := must.Get(filepath.Abs(filepath.Dir(file))).Or(t)
	spec.Dir = dir
	ctx, cancel := context.WithTimeoutCause(t.Context(), 10*time.Minute, errors.New("the kernel took more than ten minutes"))
	defer cancel()
	k := must.Get(jupyter.Start(ctx, spec)).Or(t)
	results := map[string]*jupyter.Result{}
	for _, c := range nb.Cells {
		if c.Type != "code" || c.HasTag("skip-execution") {
			continue
		}
		r, err := k.Execute(ctx, c.Source)
		if err != nil {
			k.Shutdown()
			t.Fatalf("%s: %v", c.ID, err)
		}
		results[c.ID] = r
	}
	k.Shutdown()
	outs := map[string][]nbformat.Output{}
	for id, r := range results {
		outs[id] = r.Outputs
	}
	return outs
}

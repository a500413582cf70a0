package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// TestMain lets the test program be the child that solves with mlkit.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == childArgument {
		if err := child(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// tiny is a case that takes no time.
func tiny(model, library string, p params) benchCase {
	return benchCase{Name: "tiny", Title: "a tiny case", Model: model, Train: twoGaussians("tiny", 1, 200, 5), Params: p, Library: library}
}

// TestSides lets all sides solve tiny cases and finds that they agree.
func TestSides(t *testing.T) {
	tier.Peer(t)
	found := must.Get(findSides(t.Context())).Or(t)
	if found.scikit.command == nil || len(found.libraries) < 2 || found.oneDAL.command == nil && runtime.GOOS == "linux" && runtime.GOARCH == "amd64" {
		t.Fatal(strings.Join(found.missing, "\n"))
	}
	svm := params{C: 1, Gamma: 0.2, Tol: 1e-3, CacheMB: 10}
	scores := tiny("svc-predict", libsvm, svm)
	scores.Test = &scores.Train
	classes := tiny("svc-classes", libsvm, svm)
	classes.Train = gaussians("tiny-classes", 1, 200, 5, 3)
	classes.Test = &classes.Train
	sparse := tiny("logistic-l1", liblinear, params{C: 0.1, Tol: 1e-8})
	sparse.Solvers = []string{"saga"} // its LIBLINEAR penalises the bias
	for _, c := range []benchCase{
		tiny("svc", libsvm, svm),
		tiny("logistic-default", liblinear, params{C: 1, Tol: 1e-6}),
		sparse,
		scores,
		classes,
		tiny("least-squares", "", params{Lambda: 3}),
		tiny("linear-primal", liblinear, params{C: 1, Tol: 1e-6, Gap: 1e-6}),
	} {
		t.Run(c.Model, func(t *testing.T) {
			b := bench{sides: found, folder: t.TempDir(), rounds: 1, log: new(bytes.Buffer)}
			r := must.Get(b.measure(t.Context(), c)).Or(t)
			for _, s := range r.Sides {
				if mine := r.Sides[0].Errors; s.Errors != mine || c.Model == "svc-classes" && mine == 0 {
					t.Errorf("%s: %g of the predictions are wrong, of mlkit %g; want the same, and some, since the classes overlap", s.Side, s.Errors, mine)
				}
				if s.Refused != "" || len(s.Times) != 1 || !(s.Times[0] > 0) || s.Peak < 1<<20 || s.Version == "" {
					t.Errorf("%+v", s)
				}
			}
			want := 2 + len(found.libraries)/2
			if found.oneDAL.command != nil && models[c.Model].oneDAL {
				want++
			}
			if c.Library != "" && len(r.Sides) < want {
				t.Errorf("%d sides, want at least %d", len(r.Sides), want)
			}
		})
	}
}

// A side that answers what is wrong, or nothing, has no time.
func TestWrongAnswers(t *testing.T) {
	self := must.Get(os.Executable()).Or(t)
	right := side{Name: ours, Family: ours, command: []string{self, childArgument}}
	c := tiny("svc", libsvm, params{C: 1, Gamma: 0.2, Tol: 1e-3, CacheMB: 10})
	for answer, why := range map[string]string{
		`echo '{"version":"1","wall":1,"cpu":1,"machines":[{"positive":1,"negative":-1,"rows":[],"coef":[],"b":0}]}'`: "the duality gap",
		`echo '{"version":"1","wall":1,"cpu":1,"machines":[]}'`:                                                       "0 machines, want 1",
		`echo no disc >&2; exit 1`: "no disc",
		`echo hello`:               "did not answer",
	} {
		wrong := side{Name: "wrong", Family: libsvm, command: []string{"sh", "-c", "cat >/dev/null; " + answer}}
		b := bench{sides: sides{mlkit: right, libraries: []side{wrong}}, folder: t.TempDir(), rounds: 1, log: new(bytes.Buffer)}
		r := must.Get(b.measure(context.Background(), c)).Or(t)
		if s := r.Sides[0]; s.Refused != "" {
			t.Errorf("mlkit is refused: %s", s.Refused)
		}
		if s := r.Sides[1]; !strings.Contains(s.Refused, why) {
			t.Errorf("%s: refused %q, want %q", answer, s.Refused, why)
		}
		if table := markdown([]result{r}); !strings.Contains(table, "wrong: not counted") {
			t.Errorf("the table does not say it:\n%s", table)
		}
	}
}

func TestCompare(t *testing.T) {
	of := func(family string, objectives ...float64) record {
		return record{Side: family, Family: family, objectives: objectives}
	}
	for _, c := range []struct {
		what    string
		exact   bool
		sides   []record
		refused string // the sides that are
	}{
		{"within the tolerance", false, []record{of(ours, -100.0009), of(scikit, -100)}, ""},
		{"above it", false, []record{of(ours, -100.0011), of(scikit, -100)}, scikit},
		{"above it in one round", false, []record{of(ours, 5, 5.001), of(libsvm, 5, 5)}, ours},
		{"lower is better, unless exact", false, []record{of(ours, 4), of(scikit, 5)}, scikit},
		{"lower, and exact", true, []record{of(ours, 4), of(scikit, 5)}, ours},
		{"exact, without scikit-learn", true, []record{of(ours, 4), of(libsvm, 5)}, libsvm},
		{"zero", false, []record{of(ours, 0), of(scikit, 1e-300)}, scikit},
	} {
		compare(c.sides, c.exact)
		var refused []string
		for _, s := range c.sides {
			if s.Refused != "" {
				refused = append(refused, s.Side)
			}
		}
		if got := strings.Join(refused, ","); got != c.refused {
			t.Errorf("%s: refused %q, want %q", c.what, got, c.refused)
		}
	}
}

func TestChoose(t *testing.T) {
	chosen, err := choose([]string{"kmeans", "a"})
	if err != nil || len(chosen) != 2 || chosen[0].Name != "a" {
		t.Errorf("%v, %v, want a and kmeans", chosen, err)
	}
	if _, err := choose([]string{"z"}); err == nil || !strings.Contains(err.Error(), `no case "z"`) {
		t.Errorf("an unknown case: %v", err)
	}
	for _, c := range cases {
		if _, ok := models[c.Model]; !ok {
			t.Errorf("case %s: there is no model %q", c.Name, c.Model)
		}
	}
}

// A side that is pinned to some cores may run on those alone: its own list of
// processors says so, as taskset prints it.
func TestPinned(t *testing.T) {
	allowed := allowedCores()
	if allowed == nil {
		t.Skip("this system does not say which processors a process may run on")
	}
	last := allowed[len(allowed)-1]
	command := must.Get(pinned(1, []string{"grep", "Cpus_allowed_list", "/proc/self/status"})).Or(t)
	if command[0] == "grep" {
		t.Skip("there is no taskset")
	}
	out, err := exec.Command(command[0], command[1:]...).Output()
	if err != nil || strings.Join(strings.Fields(string(out)), " ") != "Cpus_allowed_list: "+last {
		t.Errorf("%q runs on %q, %v; want processor %s", command, out, err, last)
	}
	if _, err := pinned(len(allowed)+1, []string{"true"}); err == nil {
		t.Error("no error for more cores than there are")
	}
}

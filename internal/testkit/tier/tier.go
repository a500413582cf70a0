// Package tier knows which tests are wanted beyond those that need nothing but Go.
//
// MARGINALIA_TEST is a list of tiers, separated by commas: kernel, peer, quick, browser, image,
// long, or all. Without it, CI=true asks for all. A test of a tier says so in its first
// line, before it prepares anything, and is skipped unless that tier is asked for. If it
// is, whatever the test then lacks (Chromium, Python, a data set) is a failure.
//
// Tests that drive Chromium are compiled with the build tag browser alone: the protocol is 60
// packages, which a plain go test would compile and link only to skip. A package that has such
// tests has a test for builds without the tag too. It calls [Browser] or [Image], and so fails if
// the tier is asked for in such a build.
package tier

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// names are the tiers and what their tests need.
var names = map[string]string{
	"kernel":  "starts the kernel",
	"peer":    "holds our work against Python's packages, which it installs the first time",
	"quick":   "runs one lecture, one playground and one grading form in Chromium",
	"browser": "starts JupyterLab, JupyterHub or Chromium",
	"image":   "builds the image, or parts of it",
	"long":    "takes long, much memory or large data",
}

// Kernel skips a test that starts the pinned GoNB kernel, unless it is asked for.
func Kernel(t testing.TB) { t.Helper(); need(t, "kernel") }

// Peer skips a test that runs Python, unless it is asked for.
func Peer(t testing.TB) { t.Helper(); need(t, "peer") }

// Browser skips a test that runs JupyterLab, JupyterHub or Chromium, unless it is asked for.
func Browser(t testing.TB) { t.Helper(); need(t, "browser") }

// Quick skips a test of the tier browser, unless browser or its quick part is asked for. It
// reports whether the quick part alone is: one case then stands for all.
func Quick(t testing.TB) bool {
	t.Helper()
	if wanted, err := asked("browser"); err == nil && !wanted {
		need(t, "quick")
		return true
	}
	need(t, "browser")
	return false
}

// Image skips a test that builds or runs what the image holds, unless it is asked for.
func Image(t testing.TB) { t.Helper(); need(t, "image") }

// Long skips a test that takes long, much memory or large data, unless it is asked for.
func Long(t testing.TB) { t.Helper(); need(t, "long") }

// IsLong reports whether long tests are asked for: a test that always runs tries more
// cases then.
func IsLong(t testing.TB) bool { t.Helper(); return is(t, "long") }

// IsKernel reports whether tests that start the kernel are asked for: the scripts of commands build
// all their notebooks then.
func IsKernel(t testing.TB) bool { t.Helper(); return is(t, "kernel") }

func is(t testing.TB, tier string) bool {
	t.Helper()
	wanted, err := asked(tier)
	if err != nil {
		t.Fatal(err)
	}
	return wanted
}

// Size is how many cases a test that always runs tries, or how large they are: few, and many
// in the tier long.
func Size(t testing.TB, few, many int) int {
	t.Helper()
	if IsLong(t) {
		return many
	}
	return few
}

func need(t testing.TB, tier string) {
	t.Helper()
	switch wanted, err := asked(tier); {
	case err != nil:
		t.Fatal(err)
	case !wanted:
		_, benchmark := t.(*testing.B)
		t.Skipf("%s: %s", names[tier], command(tier, t.Name(), benchmark))
	}
}

// tags are the flags that compile the tests of a tier.
var tags = map[string]string{"quick": " -tags browser", "browser": " -tags browser", "image": " -tags browser"}

// asked reports whether a tier is asked for. MARGINALIA_TEST, set and empty, asks for none. It is an
// error to ask for tests that this build lacks.
func asked(tier string) (bool, error) {
	wanted, err := listed(tier)
	if err == nil && wanted && tags[tier] != "" && !tagged {
		return false, fmt.Errorf("tier: %s is asked for, whose tests are compiled with go test%s", tier, tags[tier])
	}
	return wanted, err
}

// listed reports whether the environment names a tier.
func listed(tier string) (bool, error) {
	list, set := os.LookupEnv("MARGINALIA_TEST")
	if !set {
		return os.Getenv("CI") == "true", nil
	}
	wanted := false
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if _, known := names[name]; !known && name != "all" && strings.TrimSpace(list) != "" {
			return false, fmt.Errorf("tier: MARGINALIA_TEST=%s: no tier is called %q, want some of kernel, peer, quick, browser, image, long, or all", list, name)
		}
		wanted = wanted || name == tier || name == "all"
	}
	return wanted, nil
}

// command is the shell command that runs one test, which may be a subtest, or all tests of the
// package where this build lacks those of the tier.
func command(tier, test string, benchmark bool) string {
	if tags[tier] != "" && !tagged {
		return fmt.Sprintf("MARGINALIA_TEST=%s go test%s %s", tier, tags[tier], folder)
	}
	parts := strings.Split(test, "/")
	for i, part := range parts {
		parts[i] = "^" + part + "$"
	}
	flags := "-run '"
	if benchmark {
		flags = "-run '^$' -bench '"
	}
	flags += strings.Join(parts, "/") + "'"
	if tier == "image" || tier == "long" {
		flags += " -timeout 40m"
	}
	return fmt.Sprintf("MARGINALIA_TEST=%s go test%s %s %s", tier, tags[tier], flags, folder)
}

// folder is the tested package's, from the root of the module. go test starts a test in it;
// the test may leave it later.
var folder = func() string {
	dir, err := os.Getwd()
	for root := dir; err == nil; root = filepath.Dir(root) {
		if _, missing := os.Stat(filepath.Join(root, "go.mod")); !errors.Is(missing, fs.ErrNotExist) {
			rel, _ := filepath.Rel(root, dir)
			return "./" + filepath.ToSlash(rel)
		}
		if root == filepath.Dir(root) {
			break
		}
	}
	return "."
}()

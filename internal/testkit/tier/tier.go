// Package tier knows which tests are wanted beyond those that need nothing but Go.
//
// MARGINALIA_TEST is a list of tiers, separated by commas: kernel, peer, browser, image,
// long, or all. Without it, CI=true asks for all. A test of a tier says so in its first
// line, before it prepares anything, and is skipped unless that tier is asked for. If it
// is, whatever the test then lacks (Chromium, Python, a data set) is a failure.
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

// Image skips a test that builds or runs what the image holds, unless it is asked for.
func Image(t testing.TB) { t.Helper(); need(t, "image") }

// Long skips a test that takes long, much memory or large data, unless it is asked for.
func Long(t testing.TB) { t.Helper(); need(t, "long") }

// IsLong reports whether long tests are asked for: a test that always runs tries more
// cases then.
func IsLong(t testing.TB) bool {
	t.Helper()
	wanted, err := asked("long")
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

// asked reports whether a tier is asked for. MARGINALIA_TEST, set and empty, asks for none.
func asked(tier string) (bool, error) {
	list, set := os.LookupEnv("MARGINALIA_TEST")
	if !set {
		return os.Getenv("CI") == "true", nil
	}
	wanted := false
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if _, known := names[name]; !known && name != "all" && strings.TrimSpace(list) != "" {
			return false, fmt.Errorf("tier: MARGINALIA_TEST=%s: no tier is called %q, want some of kernel, peer, browser, image, long, or all", list, name)
		}
		wanted = wanted || name == tier || name == "all"
	}
	return wanted, nil
}

// command is the shell command that runs one test, which may be a subtest.
func command(tier, test string, benchmark bool) string {
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
	return fmt.Sprintf("MARGINALIA_TEST=%s go test %s %s", tier, flags, folder)
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

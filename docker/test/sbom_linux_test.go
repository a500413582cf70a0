//go:build browser

package test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// The bill of materials names all that the image has of Debian, of Python and of Go,
// in the versions that it has.
func TestBillOfMaterials(t *testing.T) {
	i := testImage(t)
	root := repotest.Root(t)
	python := must.Get(environment(t.Context(), root, "sbom")).Or(t)
	cmd := exec.CommandContext(t.Context(), python, filepath.Join(root, "docker", "sbom", "sbom.py"), i.rootfs, version)
	cmd.Stderr = os.Stderr
	out := must.Get(cmd.Output()).Or(t)
	var bill struct {
		SpecVersion string
		Metadata    struct {
			Component struct{ Name, Version string }
		}
		Components []struct{ Purl string }
	}
	must.Do(t, json.Unmarshal(out, &bill))
	if bill.SpecVersion != "1.6" || bill.Metadata.Component.Name != "marginalia" || bill.Metadata.Component.Version != version {
		t.Errorf("%s of %+v, want 1.6 of marginalia %s", bill.SpecVersion, bill.Metadata.Component, version)
	}
	var all []string
	for _, c := range bill.Components {
		purl, _, _ := strings.Cut(c.Purl, "?")
		all = append(all, strings.ToLower(strings.NewReplacer("%2B", "+", "%3A", ":", "%7E", "~").Replace(purl)))
	}
	slices.Sort(all)
	want := []string{}
	for line := range strings.Lines(testfile.Read(t, i.rootfs+"/usr/share/marginalia/packages.txt")) {
		name, version, _ := strings.Cut(strings.TrimSpace(line), " ")
		want = append(want, "pkg:deb/debian/"+name+"@"+version)
	}
	if len(want) < 80 {
		t.Errorf("the image lists %d packages of Debian", len(want))
	}
	found, err := filepath.Glob(i.rootfs + "/opt/marginalia/.venv/lib/python3*/site-packages/*.dist-info")
	if err != nil || len(found) < 50 {
		t.Errorf("the image has %d packages of Python, %v", len(found), err)
	}
	for _, path := range found {
		name, version, _ := strings.Cut(strings.TrimSuffix(filepath.Base(path), ".dist-info"), "-")
		want = append(want, "pkg:pypi/"+strings.ToLower(regexp.MustCompile(`[-_.]+`).ReplaceAllString(name, "-"))+"@"+version)
	}
	toolchain := regexp.MustCompile(`ARG GO_VERSION=(\S+)`).FindStringSubmatch(readFile(t, "../Dockerfile"))
	if toolchain == nil {
		t.Fatal("the Dockerfile has no GO_VERSION")
	}
	want = append(want, "pkg:golang/stdlib@v"+toolchain[1])
	// What cells import, what the kernel and the command are made from, and gopls.
	for path, file := range map[string]string{
		"gonum.org/v1/plot": "go.mod", "github.com/janpfeifer/gonb": "go.mod", "github.com/spf13/cobra": "go.mod",
		"golang.org/x/tools/gopls": "internal/kernel/gopls/go.mod", "github.com/BurntSushi/toml": "internal/kernel/gopls/go.mod",
	} {
		m := regexp.MustCompile(`(?m)^\s*` + regexp.QuoteMeta(path) + ` (v\S+)`).FindStringSubmatch(testfile.Read(t, filepath.Join(root, file)))
		if m == nil {
			t.Fatalf("%s has no %s", file, path)
		}
		want = append(want, "pkg:golang/"+path+"@"+m[1])
	}
	for _, purl := range want {
		if _, ok := slices.BinarySearch(all, strings.ToLower(purl)); !ok {
			t.Errorf("the bill has no %s", purl)
		}
	}
	t.Logf("%d components, among them the %d looked for", len(all), len(want))
}

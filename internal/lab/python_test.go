package lab

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// A fake Python answers the probe, makes "environments" that hold itself, and
// runs the shell text pip for "-m pip". It logs each -m call to log.
type fakePython struct {
	major, minor     int
	venv, ensurepip  bool
	pip, environment string // shell text; "" succeeds
}

func (f fakePython) write(t *testing.T, dir, name string) (log string) {
	t.Helper()
	log = filepath.Join(dir, name+".log")
	script := fmt.Sprintf(`#!/bin/sh
case "$*" in
*ensurepip*) echo '[%d, %d, %t, %t]' ;;
*%%d.%%d*) echo '%d.%d' ;;
"-m venv "*) echo venv >>%s; %s
	mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
"-m pip "*) echo pip >>%s; %s
	exit 0 ;;
*) exit 3 ;;
esac
`, f.major, f.minor, f.venv, f.ensurepip, f.major, f.minor, log, f.environment, log, f.pip)
	if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return log
}

// onlyPath is a PATH with sh's own tools and nothing named python.
func onlyPath(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, tool := range []string{"sh", "mkdir", "cp", "sleep", "cat"} {
		for _, bin := range []string{"/bin", "/usr/bin"} {
			if _, err := os.Stat(filepath.Join(bin, tool)); err == nil {
				if err := os.Symlink(filepath.Join(bin, tool), filepath.Join(dir, tool)); err != nil {
					t.Fatal(err)
				}
				break
			}
		}
	}
	t.Setenv("PATH", dir)
	t.Setenv("MARGINALIA_PYTHON", "")
	return dir
}

func TestFindPython(t *testing.T) {
	whole := func(minor int) fakePython { return fakePython{major: 3, minor: minor, venv: true, ensurepip: true} }
	for _, c := range []struct {
		name    string
		pythons map[string]fakePython
		want    string // the name found
		faults  []string
	}{
		{"none", nil, "", []string{"no python3 in PATH", "apt install python3 python3-venv", "MARGINALIA_PYTHON"}},
		{"good", map[string]fakePython{"python3": whole(12)}, "python3", nil},
		{"too old", map[string]fakePython{"python3": whole(9)}, "", []string{"Python 3.9", "too old", "3.10 or newer"}},
		{"too old beside a good one", map[string]fakePython{"python3": whole(9), "python3.11": whole(11)}, "python3.11", nil},
		{"too new beside a good one", map[string]fakePython{"python3": whole(15), "python3.13": whole(13)}, "python3.13", nil},
		{"too new alone", map[string]fakePython{"python3": whole(15)}, "python3", nil},
		{"no ensurepip", map[string]fakePython{"python3": {major: 3, minor: 11, venv: true}}, "", []string{"ensurepip is missing", "apt install python3.11-venv"}},
		{"no venv", map[string]fakePython{"python3": {major: 3, minor: 11, ensurepip: true}}, "", []string{"venv is missing", "apt install python3.11-venv"}},
		{"no ensurepip, and an old one", map[string]fakePython{"python3": whole(8), "python3.10": {major: 3, minor: 10, venv: true}}, "", []string{"apt install python3.10-venv"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := onlyPath(t)
			for name, f := range c.pythons {
				f.write(t, dir, name)
			}
			p, err := FindPython(t.Context())
			if c.want == "" {
				wantError(t, err, c.faults...)
				return
			}
			if err != nil || filepath.Base(p.Path) != c.want || p.Minor != c.pythons[c.want].minor {
				t.Errorf("found %v, %v; want %s", p, err, c.want)
			}
		})
	}
}

func TestFindPythonByVariable(t *testing.T) {
	dir := onlyPath(t)
	fakePython{major: 3, minor: 12, venv: true, ensurepip: true}.write(t, dir, "python3")
	fakePython{major: 3, minor: 10, venv: true, ensurepip: true}.write(t, dir, "mine")
	t.Setenv("MARGINALIA_PYTHON", filepath.Join(dir, "mine"))
	if p, err := FindPython(t.Context()); err != nil || p.Minor != 10 {
		t.Errorf("found %v, %v; want the 3.10 that MARGINALIA_PYTHON names", p, err)
	}
	t.Setenv("MARGINALIA_PYTHON", filepath.Join(dir, "nothing"))
	_, err := FindPython(t.Context())
	wantError(t, err, "MARGINALIA_PYTHON", "nothing", "no such file")
	t.Setenv("MARGINALIA_PYTHON", "cat")
	_, err = FindPython(t.Context())
	wantError(t, err, "MARGINALIA_PYTHON", "does not run")
}

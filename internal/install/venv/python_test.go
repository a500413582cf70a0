package venv

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/base/setup/setuptest"
)

func TestFindPython(t *testing.T) {
	whole := func(minor int) setuptest.FakePython {
		return setuptest.FakePython{Major: 3, Minor: minor, Venv: true, Ensurepip: true}
	}
	for _, c := range []struct {
		name    string
		pythons map[string]setuptest.FakePython
		want    string // the name found
		faults  []string
	}{
		{"none", nil, "", []string{"no python3 in PATH", "apt install python3 python3-venv", "MARGINALIA_PYTHON"}},
		{"good", map[string]setuptest.FakePython{"python3": whole(12)}, "python3", nil},
		{"too old", map[string]setuptest.FakePython{"python3": whole(9)}, "", []string{"Python 3.9", "too old", "3.10 or newer"}},
		{"too old beside a good one", map[string]setuptest.FakePython{"python3": whole(9), "python3.11": whole(11)}, "python3.11", nil},
		{"too new beside a good one", map[string]setuptest.FakePython{"python3": whole(15), "python3.13": whole(13)}, "python3.13", nil},
		{"too new alone", map[string]setuptest.FakePython{"python3": whole(15)}, "python3", nil},
		{"no ensurepip", map[string]setuptest.FakePython{"python3": {Major: 3, Minor: 11, Venv: true}}, "", []string{"ensurepip is missing", "apt install python3.11-venv"}},
		{"no venv", map[string]setuptest.FakePython{"python3": {Major: 3, Minor: 11, Ensurepip: true}}, "", []string{"venv is missing", "apt install python3.11-venv"}},
		{"no ensurepip, and an old one", map[string]setuptest.FakePython{"python3": whole(8), "python3.10": {Major: 3, Minor: 10, Venv: true}}, "", []string{"apt install python3.10-venv"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := setuptest.OnlyPath(t)
			for name, f := range c.pythons {
				f.Write(t, dir, name)
			}
			p, err := Find(t.Context())
			if c.want == "" {
				setuptest.WantError(t, err, c.faults...)
				return
			}
			if err != nil || filepath.Base(p.Path) != c.want || p.Minor != c.pythons[c.want].Minor {
				t.Errorf("found %v, %v; want %s", p, err, c.want)
			}
		})
	}
}

func TestFindPythonByVariable(t *testing.T) {
	dir := setuptest.OnlyPath(t)
	setuptest.FakePython{Major: 3, Minor: 12, Venv: true, Ensurepip: true}.Write(t, dir, "python3")
	setuptest.FakePython{Major: 3, Minor: 10, Venv: true, Ensurepip: true}.Write(t, dir, "mine")
	t.Setenv("MARGINALIA_PYTHON", filepath.Join(dir, "mine"))
	if p, err := Find(t.Context()); err != nil || p.Minor != 10 {
		t.Errorf("found %v, %v; want the 3.10 that MARGINALIA_PYTHON names", p, err)
	}
	t.Setenv("MARGINALIA_PYTHON", filepath.Join(dir, "nothing"))
	_, err := Find(t.Context())
	setuptest.WantError(t, err, "MARGINALIA_PYTHON", "nothing", "no such file")
	t.Setenv("MARGINALIA_PYTHON", "cat")
	_, err = Find(t.Context())
	setuptest.WantError(t, err, "MARGINALIA_PYTHON", "does not run")
}

// The outputs are what pip 23.2 prints in these situations, shortened where they
// repeat themselves.
func TestCauses(t *testing.T) {
	for _, c := range []struct{ name, output, want string }{
		{"no network",
			"Looking in indexes: http://127.0.0.1:1/simple\nWARNING: Retrying (Retry(total=1, connect=None, read=None, redirect=None, status=None)) after connection broken by 'NewConnectionError('<pip._vendor.urllib3.connection.HTTPConnection object at 0x7fa42a7cc9d0>: Failed to establish a new connection: [Errno 111] Connection refused')': /simple/anyio/\nERROR: Could not find a version that satisfies the requirement anyio==4.16.0 (from versions: none)\nERROR: No matching distribution found for anyio==4.16.0\n",
			"the Python package registry cannot be reached (Connection refused): connect to the network, or set PIP_INDEX_URL"},
		{"no name service",
			"WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError('<object>: Failed to establish a new connection: [Errno -2] Name or service not known')': /simple/anyio/\n",
			"the Python package registry cannot be reached (Name or service not known)"},
		{"hash",
			"ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE. If you have updated the package versions, please update the hashes.\n    anyio==4.16.0:\n        Expected sha256 00\n",
			"the registry serves a file that is not the one pinned"},
		{"no wheel",
			"ERROR: Could not find a version that satisfies the requirement rpds-py==0.30.99 (from versions: 0.1.0, 0.2.0)\nERROR: No matching distribution found for rpds-py==0.30.99\n",
			"the registry has no rpds-py==0.30.99 built for this Python: set MARGINALIA_PYTHON"},
		{"disk",
			"Installing collected packages: jupyterlab\nERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n",
			"the disk is full: free some space"},
		{"other", "noise\nERROR: Invalid requirement: 'x'\nmore noise\n", "Invalid requirement: 'x'"},
	} {
		if got := cause(c.output, errors.New("exit status 1")); !strings.HasPrefix(got, c.want) || strings.Contains(got, "\n") {
			t.Errorf("%s: cause %q, want %q", c.name, got, c.want)
		}
	}
}

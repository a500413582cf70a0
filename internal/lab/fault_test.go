package lab

import (
	"errors"
	"strings"
	"testing"
)

// The outputs are what go 1.26.8 and pip 23.2 print in these situations,
// shortened where they repeat themselves.
func TestCauses(t *testing.T) {
	exit := errors.New("exit status 1")
	for _, c := range []struct {
		name   string
		cause  func(string, error) string
		output string
		want   string
	}{
		{"go, no network", goCause,
			`go: github.com/janpfeifer/gonb@v0.11.4: Get "http://127.0.0.1:1/github.com/janpfeifer/gonb/@v/v0.11.4.mod": dial tcp 127.0.0.1:1: connect: connection refused`,
			"the Go module proxy cannot be reached (dial tcp 127.0.0.1:1: connect: connection refused): connect to the network, or set GOPROXY to a proxy that answers, and start again"},
		{"go, proxy off", goCause,
			"go: github.com/janpfeifer/gonb@v0.11.4: module lookup disabled by GOPROXY=off",
			"the Go module proxy cannot be reached (module lookup disabled by GOPROXY=off): connect"},
		{"go, disk", goCause, "compile: writing output: write $WORK/b001/_pkg_.a: no space left on device", "the disk is full: free some space"},
		{"go, too old", goCause, "go: go.mod requires go >= 1.26.0 (running go 1.25.1; GOTOOLCHAIN=local)\n", "go.mod requires go >= 1.26.0 (running go 1.25.1; GOTOOLCHAIN=local)"},
		{"go, silent", goCause, "", "exit status 1"},
		{"pip, no network", pipCause,
			"Looking in indexes: http://127.0.0.1:1/simple\nWARNING: Retrying (Retry(total=1, connect=None, read=None, redirect=None, status=None)) after connection broken by 'NewConnectionError('<pip._vendor.urllib3.connection.HTTPConnection object at 0x7fa42a7cc9d0>: Failed to establish a new connection: [Errno 111] Connection refused')': /simple/anyio/\nERROR: Could not find a version that satisfies the requirement anyio==4.16.0 (from versions: none)\nERROR: No matching distribution found for anyio==4.16.0\n",
			"the Python package registry cannot be reached (Connection refused): connect to the network, or set PIP_INDEX_URL"},
		{"pip, no name service", pipCause,
			"WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError('<object>: Failed to establish a new connection: [Errno -2] Name or service not known')': /simple/anyio/\n",
			"the Python package registry cannot be reached (Name or service not known)"},
		{"pip, hash", pipCause,
			"ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE. If you have updated the package versions, please update the hashes.\n    anyio==4.16.0:\n        Expected sha256 00\n",
			"the registry serves a file that is not the one pinned"},
		{"pip, no wheel", pipCause,
			"ERROR: Could not find a version that satisfies the requirement rpds-py==0.30.99 (from versions: 0.1.0, 0.2.0)\nERROR: No matching distribution found for rpds-py==0.30.99\n",
			"the registry has no rpds-py==0.30.99 built for this Python: set MARGINALIA_PYTHON"},
		{"pip, disk", pipCause,
			"Installing collected packages: jupyterlab\nERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n",
			"the disk is full: free some space"},
		{"pip, other", pipCause, "noise\nERROR: Invalid requirement: 'x'\nmore noise\n", "Invalid requirement: 'x'"},
	} {
		if got := c.cause(c.output, exit); !strings.HasPrefix(got, c.want) || strings.Contains(got, "\n") {
			t.Errorf("%s: cause %q, want %q", c.name, got, c.want)
		}
	}
}

package test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"marginalia/internal/testkit/testfile"
)

// readFile returns the content of a file of the folder docker.
func readFile(t *testing.T, name string) string {
	t.Helper()
	return testfile.Read(t, filepath.Join("..", name))
}

// The base and Go are named by their versions, so that the image is the same tomorrow.
func TestPinned(t *testing.T) {
	pin := regexp.MustCompile(`(?m)^ARG (BASE=debian:|GO_VERSION=)\d[\w.-]*$`)
	if pins := pin.FindAllString(readFile(t, "../Dockerfile"), -1); len(pins) != 2 {
		t.Errorf("the Dockerfile pins %q, want the base and Go", pins)
	}
}

// The Dockerfile copies each folder of packages, and .dockerignore does not hide it. A new folder
// is easily forgotten there.
func TestFoldersAreCopied(t *testing.T) {
	ignore, file := readFile(t, "../.dockerignore"), readFile(t, "../Dockerfile")
	folders := map[string]bool{}
	paths, err := filepath.Glob("../../*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if !strings.HasSuffix(path, "_test.go") {
			folders[filepath.Base(filepath.Dir(path))] = true
		}
	}
	folders["internal"] = true
	if len(folders) < 6 {
		t.Fatalf("only %v", folders)
	}
	for folder := range folders {
		if !strings.Contains(ignore, "\n!"+folder+"\n") || !strings.Contains(file, "\nCOPY "+folder+" "+folder+"\n") {
			t.Errorf("%s is missing in .dockerignore or in the Dockerfile", folder)
		}
	}
}

// The compose file asks for what the image was made for and nothing undoes it.
func TestComposeIsClosed(t *testing.T) {
	text := readFile(t, "compose.yaml")
	for _, line := range []string{
		`- "127.0.0.1:8888:8888"`, "- home:/home/learner", "- /tmp:exec,nosuid,nodev,mode=1777,size=1g",
		"read_only: true", "cap_drop: [ALL]", `security_opt: ["no-new-privileges:true"]`, "pids_limit: 512", "mem_limit: 4g",
	} {
		if !strings.Contains(text, "\n"+strings.Repeat(" ", 4)+line+"\n") && !strings.Contains(text, "\n"+strings.Repeat(" ", 6)+line+"\n") {
			t.Errorf("compose.yaml has no line %q", line)
		}
	}
	for _, word := range []string{"privileged", "docker.sock", "network_mode: host", "0.0.0.0", "user: root", "JUPYTER_TOKEN:"} {
		if strings.Contains(text, word) {
			t.Errorf("compose.yaml says %s", word)
		}
	}
}

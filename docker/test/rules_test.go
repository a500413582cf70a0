package test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"marginalia/internal/base/repo"
)

// An instruction of the Dockerfile, on one line.
type instruction struct{ name, rest string }

// readFile returns the content of a file of the folder docker.
func readFile(t *testing.T, name string) string {
	t.Helper()
	root, err := repo.Root()
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(root, "docker", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func readDockerfile(t *testing.T) []instruction {
	t.Helper()
	var text strings.Builder
	for line := range strings.Lines(readFile(t, "../Dockerfile")) {
		if !strings.HasPrefix(strings.TrimSpace(line), "#") {
			text.WriteString(line)
		}
	}
	var all []instruction
	for line := range strings.Lines(strings.ReplaceAll(text.String(), "\\\n", " ")) {
		if name, rest, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			all = append(all, instruction{name, strings.TrimSpace(rest)})
		}
	}
	if len(all) < 20 {
		t.Fatalf("%d instructions were found, so they were not read right", len(all))
	}
	return all
}

// The rules that hadolint (github.com/hadolint/hadolint, its rules DL…) has for
// what matters here. hadolint itself is no part of the tests, being a program of
// 30 MB for what is said in a page.
func TestDockerfileRules(t *testing.T) {
	all := readDockerfile(t)
	args, stages := map[string]string{}, map[string]bool{"scratch": true}
	healthchecks, user := 0, ""
	pinned := regexp.MustCompile(`^[a-z./-]+:[a-z0-9.-]*[0-9][a-z0-9.-]*$`)
	for _, in := range all {
		switch in.name {
		case "ARG":
			for _, a := range strings.Fields(in.rest) {
				name, value, _ := strings.Cut(a, "=")
				args["${"+name+"}"] = value
				if regexp.MustCompile(`(?i)token|secret|password|_key`).MatchString(name) {
					t.Errorf("ARG %s: a secret comes in by --mount=type=secret", name)
				}
			}
		case "FROM":
			from, stage, _ := strings.Cut(in.rest, " AS ")
			if value, ok := args[from]; ok {
				from = value
			}
			if !stages[from] && (!pinned.MatchString(from) || strings.HasSuffix(from, ":latest")) {
				t.Errorf("FROM %s is not pinned (DL3006, DL3007)", in.rest)
			}
			stages[stage] = true
		case "RUN":
			for pattern, rule := range map[string]string{
				`\bsudo\b`:          "no sudo (DL3004)",
				`(^|[;&|]) *apt `:   "apt is for hands, apt-get for scripts (DL3027)",
				`\bcurl\b|\bwget\b`: "no download whose sum nobody checks",
			} {
				if regexp.MustCompile(pattern).MatchString(in.rest) {
					t.Errorf("RUN %s…: %s", in.rest[:20], rule)
				}
			}
			if strings.Contains(in.rest, "apt-get install") &&
				(!strings.Contains(in.rest, "install -y --no-install-recommends") || !strings.Contains(in.rest, "rm -rf /var/lib/apt/lists/*")) {
				t.Errorf("RUN %s…: apt-get install -y --no-install-recommends, and its lists removed in the same step (DL3009, DL3014, DL3015)", in.rest[:20])
			}
		case "ADD", "MAINTAINER", "ONBUILD":
			t.Errorf("%s %s: no such instruction here (DL3020, DL4000)", in.name, in.rest)
		case "COPY":
			if strings.Contains(in.rest, "--chmod=777") {
				t.Errorf("COPY %s: everybody could change it", in.rest)
			}
		case "WORKDIR":
			if !strings.HasPrefix(in.rest, "/") {
				t.Errorf("WORKDIR %s is not absolute (DL3000)", in.rest)
			}
		case "CMD", "ENTRYPOINT":
			if !strings.HasPrefix(in.rest, "[") {
				t.Errorf("%s %s is not a list (DL3025)", in.name, in.rest)
			}
		case "HEALTHCHECK":
			healthchecks++
		case "USER":
			user = in.rest
		}
	}
	if healthchecks != 1 {
		t.Errorf("%d health checks, want one (DL3012)", healthchecks)
	}
	if !regexp.MustCompile(`^[1-9]\d*:[1-9]\d*$`).MatchString(user) {
		t.Errorf("the last USER is %q, want a number, so that an engine can see that it is not root (DL3002)", user)
	}
	if args["${GO_VERSION}"] == "" {
		t.Error("GO_VERSION is not pinned")
	}
}

// The compose file asks for what the image was made for and nothing undoes it.
func TestComposeIsClosed(t *testing.T) {
	root, err := repo.Root()
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(root, "docker", "compose.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		`- "127.0.0.1:8888:8888"`, "- home:/home/learner", "- /tmp:exec,nosuid,nodev,mode=1777,size=1g",
		"read_only: true", "cap_drop: [ALL]", `security_opt: ["no-new-privileges:true"]`, "pids_limit: 512", "mem_limit: 4g",
	} {
		if !strings.Contains(string(b), "\n"+strings.Repeat(" ", 4)+line+"\n") && !strings.Contains(string(b), "\n"+strings.Repeat(" ", 6)+line+"\n") {
			t.Errorf("compose.yaml has no line %q", line)
		}
	}
	for _, word := range []string{"privileged", "docker.sock", "network_mode: host", "0.0.0.0", "user: root", "JUPYTER_TOKEN:"} {
		if strings.Contains(string(b), word) {
			t.Errorf("compose.yaml says %s", word)
		}
	}
}

// The values for Kubernetes close a pod as the compose file closes a container: each
// line stands where its path in the chart says.
func TestKubernetesValuesAreClosed(t *testing.T) {
	var at []string
	got := map[string]string{}
	for line := range strings.Lines(readFile(t, "hub/kubernetes/values.yaml")) {
		text := strings.TrimSpace(line)
		if text == "" || text[0] == '#' {
			continue
		}
		depth := (len(line) - len(strings.TrimLeft(line, " "))) / 2
		if text[0] == '-' || depth > len(at) {
			continue // within a list
		}
		key, value, _ := strings.Cut(text, ":")
		at = append(at[:depth], key)
		got[strings.Join(at, ".")] = strings.TrimSpace(value)
	}
	const security = "hub.config.KubeSpawner.container_security_context."
	for path, want := range map[string]string{
		security + "readOnlyRootFilesystem":                             "true",
		security + "runAsNonRoot":                                       "true",
		security + "allowPrivilegeEscalation":                           "false",
		security + "capabilities.drop":                                  "[ALL]",
		"singleuser.uid":                                                "1000",
		"singleuser.allowPrivilegeEscalation":                           "false",
		"singleuser.storage.homeMountPath":                              "/home/learner",
		"singleuser.memory.limit":                                       "2G",
		"singleuser.networkPolicy.enabled":                              "true",
		"singleuser.cmd":                                                "[jupyterhub-singleuser]",
		"singleuser.defaultUrl":                                         "/lab/tree/lectures/00-index.ipynb",
		"proxy.https.enabled":                                           "true",
		"cull.enabled":                                                  "true",
		"singleuser.networkPolicy.egressAllowRules.nonPrivateIPs":       "false",
		"singleuser.networkPolicy.egressAllowRules.privateIPs":          "false",
		"singleuser.networkPolicy.egressAllowRules.cloudMetadataServer": "false",
	} {
		if got[path] != want {
			t.Errorf("values.yaml: %s is %q, want %q", path, got[path], want)
		}
	}
	for path := range got {
		if regexp.MustCompile(`(?i)secret$|password|token$`).MatchString(path) {
			t.Errorf("values.yaml: %s: a secret is given on the command line", path)
		}
	}
}

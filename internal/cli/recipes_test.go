package cli

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// A workflow of GitHub Actions, as much of one as the recipe has.
type workflow struct {
	On          any               `yaml:"on"`
	Permissions map[string]string `yaml:"permissions"`
	Jobs        map[string]struct {
		RunsOn      string            `yaml:"runs-on"`
		Environment map[string]string `yaml:"environment"`
		Steps       []struct {
			Uses, Run string
			With      map[string]string
		}
	}
	Name string
}

// A pipeline of GitLab, as much of one as the recipe has.
type pipeline map[string]struct {
	Image     string
	Script    []string
	Artifacts struct{ Paths []string }
	Rules     []map[string]string
}

// The recipes of docs/site.md are YAML with the keys that CI knows, publish the folder that their
// command makes, and have a Go and a Python that are new enough. TestPagesNameCommands looks for the
// command and its flags.
func TestRecipes(t *testing.T) {
	recipes := blocks(readText(t, "docs", "site.md"), "yaml")
	if len(recipes) != 2 {
		t.Fatalf("docs/site.md has %d recipes, want GitHub's and GitLab's", len(recipes))
	}
	strict := func(text string, into any) {
		t.Helper()
		d := yaml.NewDecoder(strings.NewReader(text))
		d.KnownFields(true)
		if err := d.Decode(into); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
	}
	out := regexp.MustCompile(`^go run \. site(?: --out (\S+))? --source "[^"]+"$`)
	// made is the folder that a step makes, "" if it makes none.
	made := func(step string) string {
		m := out.FindStringSubmatch(step)
		switch {
		case m == nil:
			return ""
		case m[1] == "":
			return newSite().Flag("out").DefValue
		}
		return m[1]
	}

	var w workflow
	strict(recipes[0], &w)
	job, there := w.Jobs["site"]
	if !there || job.RunsOn == "" || job.Environment["name"] != "github-pages" || w.Permissions["pages"] != "write" || w.Permissions["id-token"] != "write" {
		t.Errorf("the job of GitHub's recipe has to be let publish: %+v", w)
	}
	folder, published, python := "", "", ""
	for _, s := range job.Steps {
		if (s.Uses == "") == (s.Run == "") || s.Uses != "" && !regexp.MustCompile(`^actions/[a-z-]+@v[0-9]+$`).MatchString(s.Uses) {
			t.Errorf("a step uses an action with its version, or runs a command: %+v", s)
		}
		switch name, _, _ := strings.Cut(s.Uses, "@"); name {
		case "":
			folder = made(s.Run)
		case "actions/setup-python":
			python = s.With["python-version"]
		case "actions/upload-pages-artifact":
			published = s.With["path"]
		}
	}
	if folder == "" || folder != published {
		t.Errorf("GitHub's recipe makes %q and publishes %q", folder, published)
	}
	// Sphinx needs Python 3.11: environment of package site.
	if minor, err := strconv.Atoi(strings.TrimPrefix(python, "3.")); err != nil || minor < 11 {
		t.Errorf("GitHub's recipe sets up Python %s, want 3.11 or newer", python)
	}

	var p pipeline
	strict(recipes[1], &p)
	pages, there := p["pages"] // GitLab publishes what the job of this name leaves in public
	i := slices.IndexFunc(pages.Script, func(step string) bool { return made(step) == "public" })
	if !there || i < 0 || !slices.Equal(pages.Artifacts.Paths, []string{"public"}) {
		t.Errorf("GitLab's recipe has to make and keep the folder public: %+v", pages)
	}
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(readText(t, "go.mod"))
	if version == nil || pages.Image != "golang:"+version[1] {
		t.Errorf("GitLab's recipe has the image %s, and go.mod says %v", pages.Image, version)
	}
}

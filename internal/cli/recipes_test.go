package cli

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// The recipes of docs/site.md are YAML, and publish the folder that their command makes.
// TestPagesNameCommands looks for the command and its flags.
func TestRecipes(t *testing.T) {
	recipes := blocks(readText(t, "docs", "site.md"), "yaml")
	if len(recipes) != 2 {
		t.Fatalf("docs/site.md has %d recipes, want GitHub's and GitLab's", len(recipes))
	}
	var github struct {
		Jobs map[string]struct {
			Steps []struct {
				Uses, Run string
				With      map[string]string
			}
		}
	}
	var gitlab map[string]struct {
		Script    []string
		Artifacts struct{ Paths []string }
	}
	for i, into := range []any{&github, &gitlab} {
		if err := yaml.Unmarshal([]byte(recipes[i]), into); err != nil {
			t.Fatalf("%v in\n%s", err, recipes[i])
		}
	}
	folder, published := "", ""
	for _, s := range github.Jobs["site"].Steps {
		if strings.HasPrefix(s.Run, "go run . site") {
			folder = newSite().Flag("out").DefValue
		}
		if strings.HasPrefix(s.Uses, "actions/upload-pages-artifact@") {
			published = s.With["path"]
		}
	}
	if folder == "" || folder != published {
		t.Errorf("GitHub's recipe makes %q and publishes %q", folder, published)
	}
	pages := gitlab["pages"] // GitLab publishes what the job of this name leaves in public
	makes := regexp.MustCompile(`^go run \. site --out public\b`)
	if !slices.ContainsFunc(pages.Script, makes.MatchString) || !slices.Equal(pages.Artifacts.Paths, []string{"public"}) {
		t.Errorf("GitLab's recipe has to make and keep the folder public: %+v", pages)
	}
}

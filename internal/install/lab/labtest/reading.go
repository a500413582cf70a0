//go:build browser

package labtest

import (
	"context"
	_ "embed"
	"testing"

	"github.com/chromedp/chromedp"
)

//go:embed reading.js
var reading string

// Reading is what a reader sees of the elements that JavaScript gives, a line for each block, the same
// for JupyterLab's elements as for those of the site.
func Reading(ctx context.Context, t *testing.T, elements string) string {
	t.Helper()
	said, err := chromedp.Run(ctx, chromedp.Evaluate[string]("("+reading+")("+elements+")"))
	if err != nil {
		t.Fatal(err)
	}
	return said
}

//go:build browser

package labtest

import (
	"context"
	_ "embed"
	"testing"
)

//go:embed reading.js
var reading string

// Reading is what a reader sees of the elements that JavaScript gives, a line for each block, the same
// for JupyterLab's elements as for those of the site.
func Reading(ctx context.Context, t *testing.T, elements string) string {
	t.Helper()
	return Value[string](ctx, t, "("+reading+")("+elements+")")
}

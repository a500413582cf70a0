//go:build !browser

package editor_test

import (
	"testing"

	"marginalia/internal/testkit/tier"
)

// The test that this build leaves out is skipped or, if it is asked for, missed.
func TestWithBrowser(t *testing.T) { tier.Browser(t) }

//go:build !browser

package cli

import (
	"testing"

	"marginalia/internal/testkit/tier"
)

// The tests that this build leaves out are skipped or, if they are asked for, missed.
func TestInChromium(t *testing.T) { tier.Browser(t) }

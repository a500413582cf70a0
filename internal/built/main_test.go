package built

import (
	"os"
	"testing"

	"marginalia/internal/celltest"
)

func TestMain(m *testing.M) {
	celltest.StarterMain()
	os.Exit(m.Run())
}

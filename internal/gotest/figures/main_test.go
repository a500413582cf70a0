package figures

import (
	"os"
	"testing"

	"marginalia/internal/gotest/celltest"
)

func TestMain(m *testing.M) {
	celltest.StarterMain()
	os.Exit(m.Run())
}

package figures

import (
	"os"
	"testing"

	"marginalia/internal/gotest/celltest"
	"marginalia/internal/testkit/reads"
)

func TestMain(m *testing.M) {
	celltest.StarterMain()
	os.Exit(reads.Short(m).Run())
}

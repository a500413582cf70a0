package assignment

import (
	"os"
	"testing"

	"marginalia/internal/testkit/reads"
)

func TestMain(m *testing.M) {
	CompilerMain()
	os.Exit(reads.Short(m).Run())
}

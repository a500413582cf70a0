package kernel_test

import (
	"os"
	"testing"

	"marginalia/internal/testkit/reads"
)

func TestMain(m *testing.M) { os.Exit(reads.Short(m).Run()) }

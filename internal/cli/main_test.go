package cli

import (
	"os"
	"testing"

	"marginalia/internal/jupyter"
)

// mainEnv makes the test binary the marginalia command, so that tests run that
// in processes of its own.
const mainEnv = "MARGINALIA_TEST_MAIN"

func TestMain(m *testing.M) {
	jupyter.KeeperMain()
	if os.Getenv(mainEnv) != "" {
		os.Exit(Main(os.Args[1:]))
	}
	os.Exit(m.Run())
}

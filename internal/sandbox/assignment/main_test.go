package assignment

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	CompilerMain()
	os.Exit(m.Run())
}

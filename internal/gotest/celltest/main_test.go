package celltest

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	StarterMain()
	os.Exit(m.Run())
}

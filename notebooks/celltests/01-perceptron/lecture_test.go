package lecture

import (
	"testing"

	"marginalia/notebooks/celltests"
)

func TestMain(m *testing.M) { celltests.Main(m) }

func TestLecture(t *testing.T) { celltests.Test(t) }

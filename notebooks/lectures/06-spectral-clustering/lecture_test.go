package lecture

import (
	"testing"

	"marginalia/notebooks/lectures"
)

func TestMain(m *testing.M) { lectures.Main(m) }

func TestLecture(t *testing.T) { lectures.Test(t) }

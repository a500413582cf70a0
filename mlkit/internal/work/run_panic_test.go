package work_test

import (
	"context"
	"testing"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/work"
)

// Run moves a panic of work to its caller. Left in work's own goroutine it would end
// the process.
func TestRunPanics(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer func() {
		if e, ok := recover().(*mlkit.PanicError); !ok || e.Value != "broken" {
			t.Errorf("%v, want the panic of the work", e)
		}
	}()
	err := work.Run(ctx, func() { panic("broken") })
	t.Errorf("error %v, want a panic", err)
}

package work_test

import (
	"context"
	"errors"
	"testing"

	"marginalia/mlkit/internal/work"
)

func TestRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	done := false
	for _, c := range []context.Context{context.Background(), ctx} {
		done = false
		if err := work.Run(c, func() { done = true }); err != nil || !done {
			t.Errorf("%v, done %v", err, done)
		}
	}
	// The context is done before the work is.
	release, ended := make(chan struct{}), make(chan struct{})
	err := work.Run(ctx, func() {
		defer close(ended)
		cancel()
		<-release
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	close(release)
	<-ended
	if err := work.Run(ctx, func() { t.Error("work begins though the context is done") }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

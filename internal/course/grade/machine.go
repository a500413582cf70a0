package grade

import (
	"context"
	"errors"

	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/sandbox/guest"
)

// again does once more what has failed by a fault of the machine: a process that was ended, a disk that was full for a moment. What
// a submission is refused for it is refused for.
func again[T any](ctx context.Context, do func() (T, error)) (T, error) {
	v, err := do()
	if _, refused := errors.AsType[*assignment.Refused](err); err == nil || refused || ctx.Err() != nil {
		return v, err
	}
	return do()
}

// refuse says why the module in a file is not worth running. Half a module is the machine's fault: the linker leaves it where there is no
// space, and says that all is well.
func refuse(file string, limits guest.Limits) error {
	err := guest.Refuse(file, limits)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, guest.ErrLarge):
		return &assignment.Refused{Why: err.Error()}
	}
	return &assignment.MachineError{What: err.Error()}
}

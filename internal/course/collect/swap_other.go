//go:build !linux && !darwin

package collect

import (
	"errors"
	"os"
)

func swap(*os.Root, string, string) error { return errors.ErrUnsupported }

package nbformat

import (
	"fmt"

	"marginalia/internal/atomicfile"
)

// WriteFile writes the notebook to the named file as atomicfile.Write does: all
// of it or nothing, and not at all if the file has these bytes already.
func (nb *Notebook) WriteFile(name string) error {
	data, err := nb.Encode()
	if err != nil {
		return fmt.Errorf("%w (nothing was written to %s)", err, name)
	}
	if err := atomicfile.Write(name, data); err != nil {
		return fmt.Errorf("nbformat: %w", err)
	}
	return nil
}

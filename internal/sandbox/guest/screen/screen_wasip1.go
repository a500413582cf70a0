package screen

import (
	"encoding/json"
	"unsafe"

	"marginalia/internal/cell/display"
)

func init() { display.Use(screen{}) }

type screen struct{}

//go:wasmimport marginalia show
func hostShow(message unsafe.Pointer, n uint32, id unsafe.Pointer, idN uint32)

// Send hands the message over as JSON, with binary content in base64, as Jupyter stores it.
func (screen) Send(d display.Data) error {
	message, err := json.Marshal(d)
	if err == nil {
		hostShow(unsafe.Pointer(unsafe.SliceData(message)), uint32(len(message)), unsafe.Pointer(unsafe.StringData(d.DisplayID)), uint32(len(d.DisplayID)))
	}
	return err
}

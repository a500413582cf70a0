package harness

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"io"

	"marginalia/internal/cell/display"
)

// A Server answers what one program sends by a display pipe, whatever carries it. See [New] for when
// its functions are called.
type Server struct {
	OnShow  func(display.Data)
	OnAsk   func()
	OnInput func(display.InputRequest)
}

// Serve reads to the end of the stream, which is within a message if the program died there. The error
// says that the program sent what is no message, or that the way back is closed.
func (s Server) Serve(from io.Reader, back io.Writer) error {
	dec, enc := gob.NewDecoder(from), gob.NewEncoder(back)
	for {
		var d display.Data
		if dec.Decode(&d) != nil {
			return nil
		}
		if err := s.take(d, enc); err != nil {
			return err
		}
	}
}

func (s Server) take(d display.Data, back *gob.Encoder) error {
	if v, ok := d.Data[display.KeyComm].(display.CommValue); ok {
		if v.Address == display.SyncAddress {
			return back.Encode(display.CommValue{Address: display.SyncAckAddress, Value: v.Value})
		}
		if v.Request {
			s.OnAsk()
		}
		return nil
	}
	if v, ok := d.Data[display.KeyInput]; ok {
		request, _ := v.(display.InputRequest)
		s.OnInput(request)
		return nil
	}
	if _, ok := d.Data[display.KeySubscribe]; ok {
		s.OnAsk()
		return nil
	}
	message, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("display: %w", err)
	}
	stored := display.Data{Data: display.Bundle{}, Metadata: display.Bundle{}}
	dec := json.NewDecoder(bytes.NewReader(message))
	dec.UseNumber()
	if err := dec.Decode(&stored); err != nil {
		return fmt.Errorf("display: %w", err)
	}
	s.OnShow(stored)
	return nil
}

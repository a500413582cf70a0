//go:build !wasip1

package display

import (
	"encoding/gob"
	"fmt"
	"sync"
)

// The import path that gob writes before a registered type's name.
const protocol = "github.com/janpfeifer/gonb/gonbui/protocol."

// Register makes the types that travel inside interface values known to gob
// under their names in GoNB. Both ends call it before they encode or decode.
// It fails if GoNB's own protocol package is linked into the program, which
// then owns the names. That is why it isn't done in an init function: a cell
// may well use gonbui for its HTML and this package for its figures.
var Register = sync.OnceValue(func() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("display: registering the wire types: %v", r)
		}
	}()
	gob.RegisterName(protocol+"CommValue", CommValue{})
	gob.RegisterName(protocol+"InputRequest", InputRequest{})
	gob.RegisterName(protocol+"CommSubscription", CommSubscription{})
	for _, v := range []any{
		map[string]any{}, []any{}, []string{}, []int{}, []float64{},
		map[string]int{}, map[string]float64{}, map[string]string{},
	} {
		gob.Register(v)
	}
	return nil
})

package pipeline

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sync"

	"marginalia/mlkit/feature"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/codec"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/kernelized"
)

// Maps encodes maps of any types with encoding/json, each with the name of its type,
//
//	[{"name":"scaling","map":{"shift":[0.5],"unit":[2],"offset":0,"span":1}}]
//
// The names are constant, fourier, histogram, hog, kernel-pca, monomials, nystroem, pca,
// polar, polynomial, products, scaling, and those passed to Register.
type Maps []feature.Map

// registry maps names to the types of maps and back.
var registry = struct {
	mutex sync.RWMutex
	types map[string]reflect.Type
	names map[reflect.Type]string
}{types: map[string]reflect.Type{}, names: map[reflect.Type]string{}}

func init() {
	Register("constant", feature.Constant{})
	Register("fourier", (*kernelized.FourierModel)(nil))
	Register("histogram", feature.Histogram{})
	Register("hog", feature.HOG{})
	Register("kernel-pca", (*kernelized.PCAModel)(nil))
	Register("monomials", (*kernel.MonomialMap)(nil))
	Register("nystroem", (*kernelized.NystroemModel)(nil))
	Register("pca", (*feature.PCAModel)(nil))
	Register("polar", feature.Polar{})
	Register("polynomial", (*feature.Polynomial)(nil))
	Register("products", (*feature.Products)(nil))
	Register("scaling", (*feature.Scaling)(nil))
}

// Register makes Maps encode maps of m's type under the given name. Call it from an init
// function. It panics if the name or the type is already registered differently, or if there
// is none. The JSON is that of the type; a decoded map must have all its fields and no
// others. If the type has an UnmarshalJSON method, that validates them.
func Register(name string, m feature.Map) {
	t := reflect.TypeOf(m)
	if name == "" || t == nil {
		panic("pipeline: Register wants a name and a map")
	}
	registry.mutex.Lock()
	defer registry.mutex.Unlock()
	if old, ok := registry.types[name]; ok && old != t {
		panic(fmt.Sprintf("pipeline: Register: %q is the name of %v already", name, old))
	}
	if old, ok := registry.names[t]; ok && old != name {
		panic(fmt.Sprintf("pipeline: Register: %v has the name %q already", t, old))
	}
	registry.types[name], registry.names[t] = t, name
}

// envelope is the JSON form of a map.
type envelope struct {
	Name string          `json:"name"`
	Map  json.RawMessage `json:"map"`
}

// MarshalJSON encodes the maps. It returns an error for one whose type is not registered.
func (maps Maps) MarshalJSON() ([]byte, error) {
	all := make([]envelope, len(maps))
	for i, m := range maps {
		t := reflect.TypeOf(m)
		registry.mutex.RLock()
		name, ok := registry.names[t]
		registry.mutex.RUnlock()
		if !ok {
			return nil, fmt.Errorf("pipeline: maps[%d]: the type %v has no name; Register it", i, t)
		}
		data, err := json.Marshal(m)
		if err != nil {
			return nil, fmt.Errorf("pipeline: maps[%d], encoding a %s: %w", i, name, err)
		}
		all[i] = envelope{name, data}
	}
	return json.Marshal(all)
}

// UnmarshalJSON decodes the output of MarshalJSON. It returns an error, and leaves maps
// unchanged, if a name is not registered, or if a map's field is missing, unknown or invalid.
func (maps *Maps) UnmarshalJSON(data []byte) error {
	var all []envelope
	if err := codec.Strict(data, &all); err != nil {
		return fmt.Errorf("pipeline: decoding maps: %w", err)
	}
	var fresh Maps // nil for none, as a fit has it
	for i, e := range all {
		registry.mutex.RLock()
		t, ok := registry.types[e.Name]
		registry.mutex.RUnlock()
		if !ok {
			return fmt.Errorf("pipeline: decoding maps[%d]: no map has the name %q; Register its type", i, e.Name)
		}
		v := reflect.New(t)
		if err := codec.Strict(e.Map, v.Interface()); err != nil {
			return fmt.Errorf("pipeline: decoding maps[%d], a %s: %w", i, e.Name, err)
		}
		m := v.Elem().Interface().(feature.Map)
		if check.Nil(m) {
			return fmt.Errorf("pipeline: decoding maps[%d]: null, want a %s", i, e.Name)
		}
		fresh = append(fresh, m)
	}
	*maps = fresh
	return nil
}

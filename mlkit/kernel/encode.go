package kernel

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"

	"marginalia/mlkit/internal/codec"
)

// Any holds a kernel of any type and encodes it as JSON. Use it as a field of a model:
//
//	type Model struct {
//		Kernel kernel.Any `json:"kernel"`
//		…
//	}
//
// A decoded Any equals the encoded one bit for bit. The JSON has the name of the kernel's
// type and its parameters,
//
//	{"name":"rbf","parameters":{"gamma":0.5}}
//
// or is null if there is no kernel. The names are linear, polynomial, sigmoid, rbf,
// laplace, chi2, sum, product, scaled, and those passed to Register. Encoding returns an
// error for a Func, which has no name, and for kernels nested more than a hundred deep.
type Any struct{ Kernel }

// maxNesting limits the bracket depth of a kernel in JSON; each nested sum takes two
// levels. Decoding takes time quadratic in the depth.
const maxNesting = 200

func checkNesting(data []byte) error {
	depth, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++ // skip the escaped character
		case !quoted && (c == '{' || c == '['):
			if depth++; depth > maxNesting {
				return fmt.Errorf("kernel: sums, products and scaled kernels are nested more than %d deep, want one flat sum or product", maxNesting/2)
			}
		case !quoted && (c == '}' || c == ']'):
			depth--
		}
	}
	return nil
}

// Check returns an error if the kernel is nil or has a parameter out of range.
func (a Any) Check() error { return Check(a.Kernel) }

// envelope is the JSON form of Any.
type envelope struct {
	Name       string          `json:"name"`
	Parameters json.RawMessage `json:"parameters"`
}

// registry maps names to kernel types and back. It is filled on first use rather than by
// an init function, so a program that never encodes a kernel does not link the kernels it
// does not use.
var registry struct {
	mutex sync.RWMutex
	fill  sync.Once
	types map[string]reflect.Type
	names map[reflect.Type]string
}

func fillRegistry() {
	registry.fill.Do(func() {
		registry.types, registry.names = map[string]reflect.Type{}, map[reflect.Type]string{}
		for name, k := range map[string]Kernel{
			"linear": Linear{}, "polynomial": Polynomial{}, "sigmoid": Sigmoid{},
			"rbf": RBF{}, "laplace": Laplace{}, "chi2": Chi2{},
			"sum": Sum{}, "product": Product{}, "scaled": Scaled{},
		} {
			t := reflect.TypeOf(k)
			registry.types[name], registry.names[t] = t, name
		}
	})
}

// Register makes Any encode kernels of k's type under the given name. Call it from an
// init function. It panics if the name or the type is already registered differently. The
// parameters are the JSON encoding of the type; a decoded kernel must have all of them
// and no others.
func Register(name string, k Kernel) {
	t := reflect.TypeOf(k)
	if name == "" || t == nil {
		panic("kernel: Register wants a name and a kernel")
	}
	fillRegistry()
	registry.mutex.Lock()
	defer registry.mutex.Unlock()
	if old, ok := registry.types[name]; ok && old != t {
		panic(fmt.Sprintf("kernel: Register: %q is the name of %v already", name, old))
	}
	if old, ok := registry.names[t]; ok && old != name {
		panic(fmt.Sprintf("kernel: Register: %v has the name %q already", t, old))
	}
	registry.types[name] = t
	registry.names[t] = name
}

// MarshalJSON encodes the kernel.
func (a Any) MarshalJSON() ([]byte, error) {
	if a.Kernel == nil {
		return []byte("null"), nil
	}
	if inner, ok := a.Kernel.(Any); ok {
		return inner.MarshalJSON()
	}
	if _, ok := a.Kernel.(Func); ok {
		return nil, errors.New("kernel: a Func has no encoding; declare a type with a method Eval and Register it")
	}
	t := reflect.TypeOf(a.Kernel)
	fillRegistry()
	registry.mutex.RLock()
	name, ok := registry.names[t]
	registry.mutex.RUnlock()
	if !ok {
		return nil, fmt.Errorf("kernel: the type %v has no name; Register it", t)
	}
	parameters, err := json.Marshal(a.Kernel)
	if err != nil {
		return nil, fmt.Errorf("kernel: encoding a %s: %w", name, err)
	}
	data, err := json.Marshal(envelope{name, parameters})
	if err != nil {
		return nil, fmt.Errorf("kernel: encoding a %s: %w", name, err)
	}
	return data, checkNesting(data)
}

// UnmarshalJSON decodes the output of MarshalJSON. It returns an error if the name is not
// registered, or if a parameter is missing, unknown or out of range.
func (a *Any) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		a.Kernel = nil
		return nil
	}
	if err := checkNesting(data); err != nil {
		return err
	}
	var e envelope
	if err := json.Unmarshal(data, &e); err != nil {
		return fmt.Errorf("kernel: decoding a kernel: %w", err)
	}
	fillRegistry()
	registry.mutex.RLock()
	t, ok := registry.types[e.Name]
	registry.mutex.RUnlock()
	if !ok {
		return fmt.Errorf("kernel: decoding a kernel: no kernel has the name %q; Register its type", e.Name)
	}
	v := reflect.New(t)
	if err := codec.Complete(data, &e); err != nil {
		return fmt.Errorf("kernel: decoding a %s: %w", e.Name, err)
	}
	if err := codec.Strict(e.Parameters, v.Interface()); err != nil {
		return fmt.Errorf("kernel: decoding a %s: %w", e.Name, err)
	}
	k := v.Elem().Interface().(Kernel)
	if err := Check(k); err != nil {
		return fmt.Errorf("kernel: decoding a %s: %w", e.Name, err)
	}
	a.Kernel = k
	return nil
}

// MarshalJSON encodes the terms, each as Any does.
func (k Sum) MarshalJSON() ([]byte, error) { return json.Marshal(wrapAll(k)) }

// UnmarshalJSON decodes the output of MarshalJSON.
func (k *Sum) UnmarshalJSON(data []byte) (err error) {
	*k, err = unwrapAll(data)
	return err
}

// MarshalJSON encodes the factors, each as Any does.
func (k Product) MarshalJSON() ([]byte, error) { return json.Marshal(wrapAll(k)) }

// UnmarshalJSON decodes the output of MarshalJSON.
func (k *Product) UnmarshalJSON(data []byte) (err error) {
	*k, err = unwrapAll(data)
	return err
}

func wrapAll(ks []Kernel) []Any {
	all := make([]Any, len(ks))
	for i, k := range ks {
		all[i] = Any{k}
	}
	return all
}

func unwrapAll(data []byte) ([]Kernel, error) {
	var all []Any
	if err := codec.Strict(data, &all); err != nil {
		return nil, err
	}
	ks := make([]Kernel, len(all))
	for i, a := range all {
		ks[i] = a.Kernel
	}
	return ks, nil
}

// scaledJSON is the JSON form of Scaled.
type scaledJSON struct {
	Factor float64 `json:"factor"`
	Kernel Any     `json:"kernel"`
}

// MarshalJSON encodes the factor, and the kernel as Any does.
func (k Scaled) MarshalJSON() ([]byte, error) {
	return json.Marshal(scaledJSON{k.Factor, Any{k.Kernel}})
}

// UnmarshalJSON decodes the output of MarshalJSON.
func (k *Scaled) UnmarshalJSON(data []byte) error {
	var s scaledJSON
	if err := codec.Strict(data, &s); err != nil {
		return err
	}
	*k = Scaled{s.Factor, s.Kernel.Kernel}
	return nil
}

package wire_test

import (
	"strings"
	"testing"

	"marginalia/internal/sandbox/guest/wire"
)

type secret interface{ Secret() string }

func (o odd) Secret() string { return "of the test" }

// A sly proxy says of the judge's value that it is more than what it was sent as.
type sly struct{ proxyKernel }

func (sly) Secret() string { return "" }

// A guest may use a value of the judge as what it was sent as, and not as what else it is.
func TestSentAs(t *testing.T) {
	table := func(e *wire.End) *wire.Table {
		t := wire.NewTable()
		wire.Proxy(t, func(r wire.Remote) kernel { return sly{proxyKernel{r, e}} })
		wire.Proxy(t, func(wire.Remote) secret { return nil })
		t.Func("kernel.K", kernel.K)
		t.Func("secret.Secret", secret.Secret)
		t.Func("as secret", func(k kernel) secret { return k.(secret) })
		t.Func("as any", func(k kernel) any { return k })
		return t
	}
	judge, guest := wire.NewEnd(true, table), wire.NewEnd(false, table)
	judge.Send = func(b []byte) ([]byte, error) { return guest.Serve(b), nil }
	var k kernel = odd{new(int)}
	var s secret
	if err := judge.Call("as secret", []any{&k}, []any{&s}); err == nil || !strings.Contains(err.Error(), "no value that is a wire_test.secret") {
		t.Errorf("a kernel comes back as a secret: %v, %v", s, err)
	}
	var a any
	if err := judge.Call("as any", []any{&k}, []any{&a}); err != nil || a != any(k) {
		t.Errorf("a kernel comes back as %v, %v", a, err)
	}
}

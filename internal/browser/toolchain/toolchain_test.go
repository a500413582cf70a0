package toolchain

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/testkit/must"
)

// The two archives of a package have its members, and the second only the head of the export data:
// what the linker reads of it (ldpkg in cmd/link/internal/ld/go.go).
func TestSplit(t *testing.T) {
	entry := func(name, data string) string {
		text := fmt.Sprintf("%-16s%-12d%-6d%-6d%-8o%-10d`\n%s", name, 0, 0, 0, 0o644, len(data), data)
		return text + strings.Repeat("\x00", len(data)%2)
	}
	const head = "go object js wasm go1.26\n\n$$B\n"
	data, code := entry("__.PKGDEF", head+"exported\n$$\n"), entry("_go_.o", "code")+entry("asm.o", "odd")
	export, object, err := split([]byte(magic + data + code))
	if err != nil {
		t.Fatal(err)
	}
	if want := magic + data; string(export) != want {
		t.Errorf("the export data is %q, want %q", export, want)
	}
	if want := magic + entry("__.PKGDEF", head+"\n$$\n") + code; string(object) != want {
		t.Errorf("the object code is %q, want %q", object, want)
	}
	for _, bad := range []string{"", "!<arch>\nshort", magic + entry("_go_.o", "code"), magic + entry("__.PKGDEF", "no data"), magic + data[:70]} {
		if _, _, err := split([]byte(bad)); err == nil {
			t.Errorf("%q is taken for an archive", bad)
		}
	}
}

// Go's own tools can be made smaller in the way of this package, and need none of what is left out.
func TestOverlay(t *testing.T) {
	goroot := must.Get(goEnv(t.Context(), ".", "GOROOT")).Or(t)
	o := must.Get(writeOverlay(goroot, t.TempDir())).Or(t)
	cmd := exec.CommandContext(t.Context(), "go", "list", "-overlay="+o.file(), "-deps", "cmd/compile", "cmd/link")
	cmd.Dir, cmd.Env = filepath.Join(goroot, "src"), environ(goroot)
	deps := strings.Fields(string(must.Get(cmd.Output()).Or(t)))
	for _, dep := range deps {
		if strings.HasPrefix(dep, "cmd/compile/internal/amd64") || dep == "runtime/pprof" || strings.HasPrefix(dep, "cmd/link/internal/x86") {
			t.Errorf("the tools of pages import %s", dep)
		}
	}
	if len(deps) < 50 {
		t.Errorf("they import %q", deps)
	}
}

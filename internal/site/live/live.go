package live

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/install/lab"
	"marginalia/internal/notebook/workspace"
)

// A Playground is a figure whose points and settings the reader changes.
type Playground struct {
	ID, Title, About string
	Section          string // of the lecture that links to it: "01-perceptron#Why it stops"
	First            First
	Wide, Narrow     Drawing // its stills
}

// First is what a playground shows at first, beside its figure, as the program of the playgrounds has it.
type First struct {
	Numbers [][2]string // label and value
	Note    string
	Class   string
	Presets [][2]string // name and label
	Knobs   []struct {
		Name, Label           string
		Min, Max, Step, Value float64
		Text                  string
		Steps                 bool
		Choices               []string
	}
}

// A Drawing is a still.
type Drawing struct {
	Alt, SVG      string
	Width, Height float64
}

// Playgrounds are those that Build has written.
type Playgrounds []Playground

//go:embed page/*.js page/*.css
var page embed.FS

// programPackage is the program of the playgrounds.
const programPackage = "marginalia/internal/site/play"

// Build writes the playgrounds of the repository at root into dir: the program and the stills. They need
// what [Scripts] writes.
func Build(ctx context.Context, root, dir string) (Playgrounds, error) {
	if err := buildWASM(ctx, root, root, programPackage, filepath.Join(dir, "play.wasmz")); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", "run", programPackage, "-stills")
	cmd.Dir, cmd.Env = root, workspace.Environ(root)
	out, err := output(cmd)
	if err != nil {
		return nil, fmt.Errorf("site: the stills of the playgrounds: %w", err)
	}
	var all Playgrounds
	if err := json.Unmarshal(out, &all); err != nil {
		return nil, fmt.Errorf("site: the stills of the playgrounds: %w", err)
	}
	for _, p := range all {
		for name, d := range map[string]Drawing{p.ID + ".svg": p.Wide, p.ID + "-narrow.svg": p.Narrow} {
			if err := atomicfile.Write(filepath.Join(dir, name), []byte(d.SVG)); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// Scripts writes the scripts and the style of all living parts into dir.
func Scripts(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	entries, err := page.ReadDir("page")
	if err != nil {
		return err
	}
	files := map[string][]byte{"figure.js": []byte(lab.FigureScript())}
	for _, e := range entries {
		if files[e.Name()], err = page.ReadFile("page/" + e.Name()); err != nil {
			return err
		}
	}
	if files["wasm_exec.js"], err = goScript(ctx); err != nil {
		return err
	}
	for name, text := range files {
		if err := atomicfile.Write(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	return nil
}

// goScript returns the script that runs programs of the installed Go, which comes with it.
func goScript(ctx context.Context) ([]byte, error) {
	out, err := output(exec.CommandContext(ctx, "go", "env", "GOROOT"))
	if err != nil {
		return nil, fmt.Errorf("site: %w", err)
	}
	return os.ReadFile(filepath.Join(string(bytes.TrimSpace(out)), "lib", "wasm", "wasm_exec.js"))
}

// output runs a command and returns what it prints. The error has what it says.
func output(cmd *exec.Cmd) ([]byte, error) {
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", cmd, err, said.Bytes())
	}
	return out, nil
}

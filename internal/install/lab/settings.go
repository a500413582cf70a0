package lab

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/install/venv"
	"marginalia/internal/kernel"
)

//go:embed launch.py
var launcher string

//go:embed contents.py
var contents string

// kernelspecFile is where Jupyter looks for the kernels of an environment.
func (e Environment) kernelspecFile() string {
	return filepath.Join(e.Dir, "share", "jupyter", "kernels", "gonb", "kernel.json")
}

// Kernelspec returns the path of kernel.json, from which editors start the kernel
// too, and whether it says what a start of JupyterLab would write.
func (e Environment) Kernelspec(t *kernel.Toolchain) (path string, current bool) {
	there, err1 := os.ReadFile(e.kernelspecFile())
	want, err2 := encode(kernelspecOf(t))
	return e.kernelspecFile(), err1 == nil && err2 == nil && bytes.Equal(there, want)
}

// kernelspecOf is the content of kernel.json: the kernel for people.
func kernelspecOf(t *kernel.Toolchain) map[string]any {
	spec := t.Interactive()
	env := map[string]string{}
	for _, kv := range spec.Env {
		k, v, _ := strings.Cut(kv, "=")
		env[k] = strings.ReplaceAll(v, "$", "$$") // Jupyter expands ${NAME}
	}
	env["PATH"] += string(os.PathListSeparator) + "${PATH}"
	return map[string]any{
		"argv":           spec.Argv,
		"display_name":   "Go (gonb)",
		"language":       "go",
		"interrupt_mode": "message",
		"env":            env,
		"metadata":       map[string]any{"debugger": false},
	}
}

// serverSettings: only the kernels of this environment are offered, and a new
// notebook is a Go notebook. By default JupyterLab takes no notice of the
// status that comes with the reply to kernel_info_request; GoNB sends no other
// until a cell runs, so the page would say "Unknown" of a kernel that is ready.
// So the list of what takes no notice is the default one less kernel_info. The server asks for pongs within three
// pings; tornado allows one, takes that, and would say so in the terminal at each kernel.
var serverSettings = map[string]any{
	"ServerApp":          map[string]any{"log_level": "WARN", "tornado_settings": map[string]any{"ws_ping_timeout": 30_000}},
	"MultiKernelManager": map[string]any{"default_kernel_name": "gonb"},
	"MappingKernelManager": map[string]any{"untracked_message_types": []string{
		"comm_info_request", "comm_info_reply", "shutdown_request", "shutdown_reply", "interrupt_request", "interrupt_reply",
		"debug_request", "debug_reply", "stream", "display_data", "update_display_data", "execute_input", "execute_result",
		"error", "status", "clear_output", "debug_event", "input_request", "input_reply",
	}},
	"KernelSpecManager": map[string]any{"allowed_kernelspecs": []string{"gonb"}, "ensure_native_kernel": false},
}

// labSettings and pageSettings: JupyterLab asks no server for its own news,
// and does not install extensions into an environment whose versions are pinned.
var (
	labSettings = map[string]any{"LabApp": map[string]any{
		"log_level":               "WARN",
		"news_url":                nil,
		"check_for_updates_class": "jupyterlab.handlers.announcements.NeverCheckForUpdate",
		"extension_manager":       "readonly",
		"custom_css":              true,
	}}
	pageSettings = map[string]any{"disabledExtensions": map[string]bool{
		"@jupyterlab/apputils-extension:announcements": true,
	}}
)

// customCSS dims images, films and those in texts among them, in a dark theme, where their white ground would
// glare. It does not invert them, since an image may be a photograph. figure.js inverts the
// figures that it shows as SVG.
const customCSS = `[data-jp-theme-light="false"] :is(.jp-RenderedImage, .jp-RenderedMarkdown) img { filter: brightness(.85); border-radius: 4px; }
`

// userSettings: cells are indented by tabs, as gofmt has it, and lectures. JupyterLab gives up on a kernel's completions after a second. The
// first ones take gopls longer, which reads the packages, and would never be shown.
var userSettings = map[string]any{
	"@jupyterlab/notebook-extension:tracker":  map[string]any{"codeCellConfig": map[string]any{"lineNumbers": false, "lineWrap": false, "indentUnit": "Tab"}},
	"@jupyterlab/completer-extension:manager": map[string]any{"providerTimeout": completionPatience.Milliseconds()},
}

const completionPatience = 15 * time.Second

// configure writes the kernelspec and Jupyter's settings into the environment.
func (e Environment) configure(kernelspec map[string]any) error {
	if err := e.pages(); err != nil {
		return err
	}
	if err := e.extension(); err != nil {
		return err
	}
	serverSettings := maps.Clone(serverSettings)
	maps.Copy(serverSettings, e.exporters())
	if err := write(map[string]any{
		e.kernelspecFile(): kernelspec,
		e.Own("config", "jupyter_server_config.json"):                  serverSettings,
		e.Own("config", "jupyter_lab_config.json"):                     labSettings,
		e.Own("config", "labconfig", "page_config.json"):               pageSettings,
		e.Own("config", "labconfig", "default_setting_overrides.json"): userSettings,
		e.Own("config", "custom", "custom.css"):                        customCSS,
		e.Own("launch.py"):                                             launcher,
		e.Own("marginalia_contents.py"):                                contents,
	}); err != nil {
		return err
	}
	if err := write(e.files); err != nil {
		return err
	}
	for _, dir := range []string{"data", "runtime", "ipython"} {
		if err := os.MkdirAll(e.Own(dir), 0o700); err != nil {
			return fmt.Errorf("lab: %w", err)
		}
	}
	return nil
}

// write writes files of text, or of JSON, by their paths.
func write(files map[string]any) error {
	for path, content := range files {
		data, err := encode(content)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(path), 0o755)
		}
		if err == nil {
			err = atomicfile.Write(path, data)
		}
		if err != nil {
			return fmt.Errorf("lab: %w", err)
		}
	}
	return nil
}

func encode(content any) ([]byte, error) {
	if text, ok := content.(string); ok {
		return []byte(text), nil
	}
	b, err := json.MarshalIndent(content, "", "  ")
	return append(b, '\n'), err
}

// environ is the environment of JupyterLab: the user's, with Python and
// Jupyter kept to this virtual environment.
func (e Environment) environ() []string {
	return append(venv.Without(os.Environ(), "PYTHON", "JUPYTER", "JPY_", "IPYTHON", "VIRTUAL_ENV", "PATH="),
		"PATH="+filepath.Join(e.Dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"),
		"VIRTUAL_ENV="+e.Dir,
		"PYTHONNOUSERSITE=1",
		"JUPYTER_PREFER_ENV_PATH=1",
		"JUPYTER_CONFIG_DIR="+e.Own("config"),
		"JUPYTER_DATA_DIR="+e.Own("data"),
		"JUPYTER_RUNTIME_DIR="+e.Own("runtime"),
		"IPYTHONDIR="+e.Own("ipython"),
	)
}

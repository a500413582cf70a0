package build

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
)

// A vetting is how "go test" has vet read a package before it builds it.
type vetting struct {
	Tool   tool
	Config string            // of vet, in JSON
	Facts  map[string]string // the files with what vet knows of packages, by import path

	text    strings.Builder // of a configuration that is being read
	reading bool
}

// read reads a line of what "go test -n" prints, and reports whether it was for vet.
func (v *vetting) read(line string) (bool, error) {
	switch {
	case strings.HasPrefix(line, "cat >") && strings.Contains(line, "/vet.cfg <<"):
		v.text.Reset()
		v.reading = true
	case v.reading && line == "EOF":
		v.reading = false
		var config struct {
			VetxOnly    bool // it is for what vet knows of a package that is imported
			PackageVetx map[string]string
		}
		if err := json.Unmarshal([]byte(v.text.String()), &config); err != nil {
			return true, fmt.Errorf("build: the configuration of vet: %w", err)
		}
		if config.VetxOnly {
			break
		}
		v.Config, v.Facts = v.text.String(), map[string]string{}
		for path, file := range config.PackageVetx {
			if filepath.IsAbs(file) {
				v.Facts[path] = file
			}
		}
	case v.reading:
		v.text.WriteString(line)
	case strings.HasSuffix(line, "/vet.cfg") && v.Config != "" && v.Tool.Path == "":
		words := split(line)
		for len(words) > 2 && strings.Contains(words[0], "=") {
			words = words[1:]
		}
		v.Tool = tool{words[0], words[1 : len(words)-1]}
	default:
		return false, nil
	}
	return true, nil
}

// knows reports whether vet can read what imports a package.
func (v *vetting) knows(path string) bool {
	return v.Config == "" || path == "unsafe" || v.Facts[path] != ""
}

// Passes reports whether tests with these files compile, and vet has nothing to say of them, as "go test"
// would find out by the command. It says false, too, if it is not sure. It links nothing: the linker finds
// fault with directives alone.
func (b *Builder) Passes(ctx context.Context, c Command, files map[string][]byte) bool {
	j := b.job(c, files, true)
	if j == nil || j.Vet.Config == "" || bytes.Contains(j.files[testFile], []byte("//go:")) {
		return false
	}
	tmp, err := os.MkdirTemp("", "marginalia-vet-")
	if err != nil {
		return false
	}
	defer os.RemoveAll(tmp)
	if j.write(tmp) != nil {
		return false
	}
	together, ctx := errgroup.WithContext(ctx)
	together.Go(func() error { return j.vet(ctx, tmp) })
	together.Go(func() error { return j.compileTests(ctx, tmp) })
	return together.Wait() == nil
}

// vet has vet read the tests in tmp. An error may also be what it has found.
func (j *job) vet(ctx context.Context, tmp string) error {
	if j.Vet.Config == "" {
		return nil
	}
	var config map[string]any
	if err := json.Unmarshal([]byte(j.Vet.Config), &config); err != nil {
		return err
	}
	imports, archives, standard, facts := map[string]string{}, map[string]string{}, map[string]bool{}, map[string]string{}
	for _, path := range j.imports {
		imports[path], facts[path] = path, j.Vet.Facts[path]
		if j.Listed[path].Standard {
			standard[path] = true
		}
	}
	delete(facts, "unsafe") // has none
	for line := range strings.Lines(j.Archives) {
		path, file, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "packagefile "), "=")
		if imports[path] != "" {
			archives[path] = file
		}
	}
	for name, value := range map[string]any{
		"ID": j.place.program, "ImportPath": j.place.program, "ModulePath": j.place.module, "Dir": j.command.Dir,
		"GoFiles": []string{filepath.Join(tmp, testFile)}, "NonGoFiles": []string{}, "IgnoredFiles": []string{},
		"ImportMap": imports, "PackageFile": archives, "Standard": standard, "PackageVetx": facts,
		"VetxOutput": filepath.Join(tmp, "vet.out"), "Stdout": filepath.Join(tmp, "vet.stdout"),
	} {
		if _, ok := config[name]; !ok {
			return errors.New("build: vet's configuration has no " + name)
		}
		config[name] = value
	}
	text, err := json.Marshal(config)
	if err != nil {
		return err
	}
	file := filepath.Join(tmp, "vet.cfg")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return err
	}
	return j.run(ctx, j.Vet.Tool, tmp, append(slices.Clip(j.Vet.Tool.Flags), file))
}

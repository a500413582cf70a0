// Package lab sets JupyterLab and the Go kernel up for the repository, checks
// them, and starts them.
//
//	root, err := repo.Root()
//	if err != nil {
//		return err
//	}
//	spec, err := lab.Kernel(ctx, root, lab.Lines(os.Stderr))
//	if err != nil {
//		return err
//	}
//	k, err := jupyter.Start(ctx, jupyter.Spec{Argv: spec.Argv, Env: spec.Env})
//
// Three things are made, each once, and each is there whole or not at all:
//
//	<user cache>/marginalia/tools-<key>   the kernel, goimports, and the go command that cells see
//	<user cache>/marginalia/gopls-<key>   gopls, for the kernel in JupyterLab only
//	<repository>/.venv                    Python's virtual environment with JupyterLab, the
//	                                      kernelspec, and all that Jupyter keeps for itself
//
// The keys are hashes of what determines the programs, so that another version
// is another folder. [Kernel] needs the first alone, and no Python; [Start] is
// "go run . lab" and needs all three; [Diagnose] is "go run . doctor".
//
// What makes cells quick is in the kernel's environment: GOFLAGS=-ldflags=-s,
// and a go command (goshim.sh) that lets the "go get" which GoNB runs before
// every cell use the network only for what is not on the computer, and links
// cells that draw without the back ends they have no use for.
//
// The package works on Linux and macOS, where GoNB does.
package lab

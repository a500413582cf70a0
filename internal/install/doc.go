// Package install has what is put on a computer besides Go.
//
//	venv    Python's virtual environments, pinned with hashes
//	lab     JupyterLab with our extension, templates and settings: sets it up and starts it
//	update  brings new lectures, and their changes into readers' copies
//	doctor  checks what is installed
//
// An edit of lab's requirements.txt, template or labextension has "go run . lab" set the environment
// up again, and the image too. What kernel and venv share in setting up is base/setup.
package install

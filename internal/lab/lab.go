// Package lab sets JupyterLab and the Go kernel up for the repository, checks
// them, and starts them.
package lab

// Package axis has the axes of figures while they are drawn: their ranges and scales, and the
// numbers and names beside them.
package axis

// Package screen brings what the cells of a guest show to its host. A program that imports
// it shows figures there.
package screen

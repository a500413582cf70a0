// Package screen sends the displays of a guest to its host. A guest that imports it shows its
// figures there.
package screen

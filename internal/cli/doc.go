// Package cli holds the marginalia command, one file a subcommand.
//
// What a command does stands in the room that it calls; here are its flags, what it prints, and its
// status. The scripts of testdata/script hold both, and README's table names every command. An edit
// rebuilds the command alone.
package cli

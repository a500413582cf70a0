package course

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// machineZone returns the name of the computer's time zone in the IANA database: of the
// variable TZ, the link localtime or the file timezone below etc, UTC if none of them has it.
func machineZone(etc string) string {
	if tz, set := os.LookupEnv("TZ"); set {
		return zoneName(strings.TrimPrefix(tz, ":"))
	}
	if target, err := filepath.EvalSymlinks(filepath.Join(etc, "localtime")); err == nil {
		if name := zoneName(target); name != "UTC" {
			return name
		}
	}
	text, _ := os.ReadFile(filepath.Join(etc, "timezone"))
	return zoneName(strings.TrimSpace(string(text)))
}

// zoneName returns a zone's name, or that of the zone whose file it is.
func zoneName(name string) string {
	if _, below, found := strings.Cut(filepath.ToSlash(name), "/zoneinfo/"); found {
		name = strings.TrimPrefix(strings.TrimPrefix(below, "posix/"), "right/")
	}
	switch zone, err := time.LoadLocation(name); {
	case err != nil, name == "", name == "Local", zone.String() == "Etc/UTC":
		return "UTC"
	}
	return name
}

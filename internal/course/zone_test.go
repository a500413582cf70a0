package course

import (
	"os"
	"path/filepath"
	"testing"
)

// A new course has the zone of the computer, as TZ, a link or Debian's file name it.
func TestMachineZone(t *testing.T) {
	for want, set := range map[string]func(t *testing.T, etc string){
		"America/New_York": func(t *testing.T, _ string) { t.Setenv("TZ", "America/New_York") },
		"Asia/Tokyo":       func(t *testing.T, _ string) { t.Setenv("TZ", ":/usr/share/zoneinfo/Asia/Tokyo") },
		"UTC":              func(t *testing.T, _ string) { t.Setenv("TZ", "") },
		"Europe/Vaduz": func(_ *testing.T, etc string) {
			file := filepath.Join(etc, "usr", "zoneinfo", "posix", "Europe", "Vaduz")
			os.MkdirAll(filepath.Dir(file), 0o777)
			os.WriteFile(file, nil, 0o666)
			os.Symlink(file, filepath.Join(etc, "localtime"))
		},
		"Europe/Oslo": func(_ *testing.T, etc string) {
			os.WriteFile(filepath.Join(etc, "timezone"), []byte("Europe/Oslo\n"), 0o666)
		},
	} {
		t.Run(want, func(t *testing.T) {
			t.Setenv("TZ", "")
			os.Unsetenv("TZ")
			etc := t.TempDir()
			set(t, etc)
			if got := machineZone(etc); got != want {
				t.Errorf("zone %q, want %q", got, want)
			}
		})
	}
	t.Setenv("TZ", "CET-1CEST") // POSIX's rules have no name
	if got := machineZone(t.TempDir()); got != "UTC" {
		t.Errorf("zone %q of rules, want UTC", got)
	}
	t.Setenv("TZ", "Pacific/Chatham")
	dir := filepath.Join(t.TempDir(), "course")
	if err := New(dir); err != nil {
		t.Fatal(err)
	}
	c, err := Open(dir)
	if err != nil || c.Zone().String() != "Pacific/Chatham" {
		t.Errorf("the new course's zone is %v, %v", c.Zone(), err)
	}
}

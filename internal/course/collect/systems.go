package collect

import (
	"regexp"
	"strings"
	"time"
	"unicode"
)

// The names of more systems:
//
//	d2l       123456-789012 - Ada Lovelace - Nov 21, 2026 1130 AM/ps1.ipynb, and the
//	          same with " - ps1.ipynb" behind the time; index.html beside them
//	          (Brightspace; forms of public readers: GradeFast, codePost)
//	openolat  Lovelace_Ada_ada/2_submissions/ps1.ipynb, …/4_revisions_1/…; a group is
//	          Team Red_98765 (OpenOLAT, GTACourseNode.java, archiveNodeData)
//	sakai     Lovelace, Ada(ada)/Submission attachment(s)/ps1.ipynb, and the same with
//	          _ between (forms of public readers)
//	ilias     Lovelace_Ada_ada_1234/ps1.ipynb, for teams below Team 12
//	          (ILIAS, SubmissionManager.php, getDirectoryNameFromUserData)
//	github    ps1-ada/ps1.ipynb (GitHub Classroom, gh classroom clone student-repos)
//
// ILIAS's and GitHub's names could be anything's. They count where all names beside them
// have the form: see wholeLevel.
var (
	d2lName      = regexp.MustCompile(`^(\d+)-(\d+) - (.+?) - (\pL+\.? \d{1,2}, \d{4} \d{3,4}(?: [AaPp][Mm])?|\d{1,2}\.? \pL+,? \d{4} \d{3,4}(?: [AaPp][Mm])?)(?: - (.+))?$`)
	openolatStep = regexp.MustCompile(`^\d+_(?:(submissions)|(revisions)_(\d+)|task|corrections(?:_\d+)?|assessment)$`)
	sakaiName    = regexp.MustCompile(`^([^()]+, [^()]+)\(([^()\s]+)\)(?:_Submission attachment\(s\)_(.+))?$`)
	iliasName    = regexp.MustCompile(`^(\pL[^_]*)_(\pL[^_]*)_(.+)_(\d+)$`)
	iliasTeam    = regexp.MustCompile(`^\pL+ \d+$`)
	githubLogin  = regexp.MustCompile(`^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$`)
)

// moreOwners is ownerOf for the systems whose names are like no other's.
func moreOwners(path []string, zone *time.Location) (o owner, rest []string, ok bool) {
	first, isFile := path[0], len(path) == 1
	if m := d2lName.FindStringSubmatch(first); m != nil && isFile == (m[5] != "") {
		o = owner{source: "d2l", sort: D2LUser, key: m[1], name: m[3], stamp: m[4], when: d2lTime(m[4], zone)}
		if isFile {
			return o, m[5:6], true
		}
		return o, path[1:], true
	}
	if !isFile && strings.Contains(first, "_") {
		if m := openolatStep.FindStringSubmatch(path[1]); m != nil {
			o = openolatOwner(first)
			if m[1]+m[2] == "" || len(path) == 2 {
				return o, nil, true // a tutor's
			}
			o.stamp = "revision " + strings.Repeat(" ", max(0, 6-len(m[3]))) + m[3] // in the order of the numbers
			return o, path[2:], true
		}
	}
	if m := sakaiName.FindStringSubmatch(first); m != nil && isFile == (m[3] != "") {
		o = owner{source: "sakai", sort: Login, key: m[2], name: m[1]}
		switch {
		case isFile:
			return o, m[3:4], true
		case path[1] == "Submission attachment(s)" && len(path) > 2:
			return o, path[2:], true
		case path[1] == timestampFile, strings.HasSuffix(path[1], "_submissionText.html"):
			return o, path[1:], true
		}
		return o, nil, true // a tutor's
	}
	return owner{}, nil, false
}

// openolatOwner reads Last_First_login, and Name_KEY of a group.
func openolatOwner(folder string) owner {
	team, key := folder, ""
	if before, after := cutLast(folder, "_"); before != "" && strings.Trim(after, "0123456789") == "" {
		team, key = before, after
	}
	words := strings.SplitN(folder, "_", 3)
	switch {
	case len(words) < 3 && key == "":
		return owner{source: "openolat", sort: Login, key: folder}
	case len(words) < 3:
		return owner{source: "openolat", sort: teamName, key: key, name: team, team: team}
	}
	return owner{source: "openolat", sort: Login, key: words[2], name: words[1] + " " + words[0], team: team}
}

// d2lTime reads a time as Brightspace has it in names, where no colon may stand; the zero
// time if it is in another language.
func d2lTime(s string, zone *time.Location) time.Time {
	s = strings.NewReplacer(",", "", ".", "").Replace(s)
	words := strings.Fields(s)
	clock := words[3]
	words[3] = clock[:len(clock)-2] + ":" + clock[len(clock)-2:]
	for _, layout := range []string{"Jan 2 2006 3:04 PM", "January 2 2006 3:04 PM", "2 Jan 2006 3:04 PM", "2 January 2006 3:04 PM",
		"Jan 2 2006 15:04", "January 2 2006 15:04", "2 Jan 2006 15:04", "2 January 2006 15:04"} {
		if t, err := time.ParseInLocation(layout, strings.Join(words, " "), zone); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// A reader reads whose a file is from its path, as ownerOf does.
type reader func(path []string) (o owner, rest []string, ok bool)

// wholeLevel returns how ILIAS's or GitHub's names are read, if all folders at a place of
// the paths are such names, and there are two, or the roster knows one. Otherwise they
// may be a student's own folders.
func (c *collector) wholeLevel(files []file, around int) reader {
	for _, read := range []reader{iliasOwner, c.githubOwner} {
		names, known, fits := map[string]bool{}, false, true
		above := ""
		for _, f := range files {
			if isJunk(f.path) || len(f.path) < around+2 {
				continue // beside the folders lie the system's own lists
			}
			o, _, ok := read(f.path[around:])
			parent := strings.Join(f.path[:around], "/")
			if around > 0 && o.source == "ilias" && iliasTeam.MatchString(f.path[around-1]) {
				parent = strings.Join(f.path[:around-1], "/")
			}
			if len(names) == 0 {
				above = parent
			}
			if !ok || parent != above || around > 0 && c.find(owner{key: f.path[around-1]}) != nil {
				fits = false
				break
			}
			names[f.path[around]] = true
			known = known || c.knows(o)
		}
		if fits && (len(names) > 1 || len(names) == 1 && known) {
			return read
		}
	}
	return nil
}

func iliasOwner(path []string) (owner, []string, bool) {
	m := iliasName.FindStringSubmatch(path[0])
	if len(path) == 1 || m == nil || !startsUpper(m[1]) && !startsUpper(m[2]) {
		return owner{}, nil, false
	}
	return owner{source: "ilias", sort: Login, key: m[3], name: m[2] + " " + m[1]}, path[1:], true
}

func (c *collector) githubOwner(path []string) (owner, []string, bool) {
	prefix := c.Assignment + "-"
	if len(path) == 1 || len(path[0]) <= len(prefix) || !strings.EqualFold(path[0][:len(prefix)], prefix) {
		return owner{}, nil, false
	}
	login := path[0][len(prefix):]
	if !githubLogin.MatchString(login) || login == "submissions" {
		return owner{}, nil, false
	}
	return owner{source: "github", sort: GitHub, key: login}, path[1:], true
}

func startsUpper(s string) bool { return strings.IndexFunc(s, unicode.IsUpper) == 0 }

// isSystems reports whether a file that lies beside the students' is the system's own.
func isSystems(source, name string) bool {
	switch source {
	case "d2l":
		return name == "index.html"
	case "sakai":
		return strings.HasPrefix(name, "grades.")
	case "ilias":
		return strings.HasPrefix(name, "status.") || strings.HasPrefix(name, "README") || strings.HasPrefix(name, "statistics.") || strings.HasSuffix(name, ".xlsx")
	}
	return false
}

// idForm is that of ids: logins, numbers, addresses. plainStep is a folder of a system's.
var (
	idForm    = regexp.MustCompile(`^[\pL\pN][\pL\pM\pN.@+-]*(?:_[\pL\pM\pN.@+-]+){0,2}$`)
	plainStep = regexp.MustCompile(`^\d+_\pL+(?:_\d+)?$`)
)

// looksLikeID reports whether the name of a folder has the form of an id.
func (c *collector) looksLikeID(name string) bool {
	return idForm.MatchString(name) && !plainStep.MatchString(name) && !strings.HasPrefix(strings.ToLower(name), strings.ToLower(c.Assignment)+"-")
}

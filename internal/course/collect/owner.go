package collect

import (
	"regexp"
	"strings"
	"time"

	"marginalia/internal/course/moment"
)

// An owner is what the place of a file says of whose it is.
type owner struct {
	source string    // "moodle", "canvas", "blackboard", "gradescope", "d2l", "ilias", "openolat", "sakai", "github", "exchange" or "folder"
	sort   Sort      // of key; Unsorted: a folder's name, which may be anything
	key    string    // by what the source tells its students apart: a number or a login
	other  []string  // what key may be instead, where the name can be read in more ways
	name   string    // as the source has it, "" if it has none
	team   string    // the name of the team that may have handed it in
	email  string    // of gradescope
	when   time.Time // when it was handed in; zero if the source does not say
	stamp  string    // tells two attempts of a student apart: the time, or the source's number
	late   bool      // the source says that it was late, not when it was
	head   string    // of blackboard: what stands before _attempt_
	noTime error     // why the time that the source says can't be read
}

// The names that learning management systems give to what students hand in. What the
// system writes comes first: a student's own file name, behind it, may imitate it.
//
//	moodle      Ada Lovelace_1234567_assignsubmission_file_/ps1.ipynb, also with
//	            …_file/ps1.ipynb and …_file_ps1.ipynb; a team has its own name and
//	            number, students without one have no number; with blind marking the
//	            name is Participant in the site's language
//	            (mod/assign/classes/downloader.php, get_student_prefix)
//	canvas      lovelaceada_LATE_340934_208490284_ps1.ipynb, LATE_anon_x7Ab1_2084_ps1.ipynb,
//	            lovelaceada_340934_text.html; a group has its name and one member's number
//	            (lib/content_zipper.rb, get_filename and get_user_name)
//	blackboard  Problem set_ada_attempt_2026-11-22-10-00-00_ps1.ipynb, and the same
//	            with .txt behind the time (nbgrader's docs, user_guide/managing_assignment_files_manually)
//	exchange    ada+ps1+2026-11-22 10:00:00.123456 UTC+random/ps1.ipynb
//	            (nbgrader/exchange/default/submit.py, init_dest)
//
// Those of more systems are in systems.go.
var (
	moodleName     = regexp.MustCompile(`^(.+?)(?:_(\d+))?_assignsubmission_([a-z]+)(?:_(.*))?$`)
	canvasName     = regexp.MustCompile(`^([^\p{Lu}\s.-]+?)(_LATE)?_(\d+)_(\d+)_(.+)$`)
	canvasOther    = regexp.MustCompile(`^(\d+)_(\d+)_.`)
	canvasAnon     = regexp.MustCompile(`^(LATE_)?(anon_[A-Za-z0-9]+)_(\d+)_(.+)$`)
	canvasText     = regexp.MustCompile(`^([^\p{Lu}\s.-]+?)(_LATE)?_(\d+)_((?:text|link)\.html)$`)
	blackboardName = regexp.MustCompile(`^(.*?[^_])_attempt_(\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d)(?:_(.+)|(\.txt))$`)
	exchangeName   = regexp.MustCompile(`^(.+)\+([^+]+)\+([^+]*\d\d:\d\d:\d\d[^+]*)(?:\+[A-Za-z0-9_=-]+)?$`)
)

// ownerOf reads the first name of a path by the conventions of the systems. Where
// path has that one name alone it is a file. It returns what of the path is the
// student's own, none for another assignment, and false if no convention fits. Times
// without a zone are in zone.
func ownerOf(path []string, assignment string, zone *time.Location) (o owner, rest []string, ok bool) {
	first, isFile := path[0], len(path) == 1
	if m := moodleName.FindStringSubmatch(first); m != nil && (!isFile || m[4] != "") {
		o = owner{source: "moodle", sort: Participant, name: m[1], team: m[1], key: m[2]}
		switch word := strings.TrimSuffix(m[1], m[2]); {
		case o.key == "":
			o.sort, o.key = teamName, m[1]
		case isParticipantWord(word) || word != m[1] && len([]rune(word)) < 3: // Teilnehmer/in12 is a path in an old zip
			o.name, o.team = "", ""
		}
		if isFile {
			return o, m[4:5], true
		}
		return o, path[1:], true
	}
	if m := exchangeName.FindStringSubmatch(first); m != nil && !isFile {
		o = owner{source: "exchange", sort: CourseID, key: m[1], stamp: m[3]}
		if o.when, o.noTime = moment.Parse(m[3], time.UTC, zone); m[2] != assignment {
			return o, nil, true // an exchange has all assignments of a course
		}
		return o, path[1:], true
	}
	if o, rest, ok := moreOwners(path, zone); ok {
		return o, rest, true
	}
	if !isFile {
		return o, nil, false
	}
	if m := blackboardName.FindStringSubmatch(first); m != nil {
		if when, err := moment.Parse(m[2], zone, zone); err == nil {
			// Where a login has _ in it, receipts tells.
			_, login := cutLast(m[1], "_")
			if m[4] != "" {
				m[3] = receiptFile
			}
			return owner{source: "blackboard", sort: Login, key: login, head: m[1], when: when, stamp: m[2]}, m[3:4], true
		}
	}
	if m := canvasAnon.FindStringSubmatch(first); m != nil {
		return owner{source: "canvas", sort: anonymous, key: m[2], late: m[1] != ""}, m[4:5], true
	}
	if m := canvasName.FindStringSubmatch(first); m != nil {
		o := owner{source: "canvas", sort: CanvasUser, name: m[1], team: m[1], key: m[3], late: m[2] != ""}
		// A name may end in a number, and a student's file may begin with one.
		for behind := m[4] + "_" + m[5]; canvasOther.MatchString(behind); {
			number, rest, _ := strings.Cut(behind, "_")
			o.other, behind = append(o.other, number), rest
		}
		return o, m[5:6], true
	}
	if m := canvasText.FindStringSubmatch(first); m != nil {
		return owner{source: "canvas", sort: CanvasUser, name: m[1], team: m[1], key: m[3], late: m[2] != ""}, m[4:5], true
	}
	return o, nil, false
}

// receiptFile is the name under which the .txt is kept that Blackboard writes for each
// attempt: name, login, time, the student's comments.
const receiptFile = "blackboard.txt"

// cutLast cuts s around the last sep; without one all of s is behind it.
func cutLast(s, sep string) (before, after string) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):]
	}
	return "", s
}

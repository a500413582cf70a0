package collect

import (
	"strings"
	"testing"
	"time"
	"unicode/utf16"
)

// Moodle's worksheets in many languages have the same students. The words are those of
// Moodle's language packs (mod_assign: recordid, hiddenuser, submissionteam), as far as
// they could be found; the one that is nowhere a language must do as well.
func TestWorksheets(t *testing.T) {
	for name, sheet := range map[string]string{
		"English":         "\ufeffIdentifier,\"Full name\",\"Email address\",Status,Group,Grade,\"Maximum grade\",\"Grade can be changed\",\"Last modified (submission)\"\nParticipant 12,\"Ada Lovelace\",ada@example.org,\"Submitted for grading - \",\"Team Blue\",,100,Yes,-\nParticipant 345,\"José Núñez\",jose@example.org,\"No submission - \",\"Team Red\",,100,Yes,-\n",
		"German":          "\ufeffID,\"Vollständiger Name\",E-Mail-Adresse,Status,Gruppe,Bewertung,Bestwertung,\"Bewertung kann geändert werden\",\"Zuletzt geändert (Abgabe)\"\nTeilnehmer/in12,\"Ada Lovelace\",ada@example.org,\"Zur Bewertung abgegeben\",\"Team Blue\",\"13,50\",\"24,00\",Ja,\"Freitag, 5. Januar 2024, 10:12\"\nTeilnehmer/in345,\"José Núñez\",jose@example.org,\"Keine Abgabe\",\"Team Red\",,\"24,00\",Ja,-\n",
		"German, for all": "ID;Vollständiger Name;E-Mail-Adresse;Gruppe\nTeilnehmer12;Ada Lovelace;ada@example.org;Team Blue\nTeilnehmer345;José Núñez;jose@example.org;Team Red\n",
		"French":          "\ufeffIdentifiant,\"Nom complet\",\"Adresse de courriel\",Statut,Groupe,Note\nParticipant 12,\"Ada Lovelace\",ada@example.org,\"Remis pour évaluation - \",\"Team Blue\",\nParticipant 345,\"José Núñez\",jose@example.org,\"Aucun travail remis - \",\"Team Red\",\n",
		"French, tabs":    "Identifiant\tNom complet\tAdresse de courriel\tGroupe\nParticipant12\tAda Lovelace\tada@example.org\tTeam Blue\nParticipant345\tJosé Núñez\tjose@example.org\tTeam Red\n",
		"Spanish":         "\ufeffID,\"Nombre completo\",\"Dirección de correo\",Estado,Grupo,Calificación\nParticipante12,\"Ada Lovelace\",ada@example.org,\"Enviado para calificar - \",\"Team Blue\",\nParticipante345,\"José Núñez\",jose@example.org,\"Sin entrega - \",\"Team Red\",\n",
		"Italian":         "Identificatore,Nome,\"Indirizzo email\",Stato,Gruppo\nPartecipante12,\"Ada Lovelace\",ada@example.org,Consegnato,\"Team Blue\"\nPartecipante345,\"José Núñez\",jose@example.org,Consegnato,\"Team Red\"\n",
		"Dutch":           "Identificatie,\"Volledige naam\",E-mailadres,Status,Groep\nDeelnemer12,\"Ada Lovelace\",ada@example.org,\"Ingestuurd voor beoordeling\",\"Team Blue\"\nDeelnemer345,\"José Núñez\",jose@example.org,\"Niets ingestuurd\",\"Team Red\"\n",
		"Turkish":         "ID,\"Tam adı\",\"E-posta adresi\",Durum,Ekip\nKatılımcı12,\"Ada Lovelace\",ada@example.org,\"Notlandırma için gönderildi\",\"Team Blue\"\nKatılımcı345,\"José Núñez\",jose@example.org,\"Gönderim yok\",\"Team Red\"\n",
		"Russian":         "Идентификатор,\"Полное имя\",\"Адрес электронной почты\",Состояние,Группа\nУчастник12,\"Ada Lovelace\",ada@example.org,\"Ответы для оценки\",\"Team Blue\"\nУчастник345,\"José Núñez\",jose@example.org,\"Ни одной попытки\",\"Team Red\"\n",
		"Japanese":        "ID,フルネーム,メールアドレス,ステータス,グループ\n参加者12,\"Ada Lovelace\",ada@example.org,評定のために提出済み,\"Team Blue\"\n参加者345,\"José Núñez\",jose@example.org,未提出,\"Team Red\"\n",
		"none at all":     "Zzz,\"Qqq www\",\"Vvv bbb\",Sss,Ttt\nXyzzy12,\"Ada Lovelace\",ada@example.org,Yyy,\"Team Blue\"\nXyzzy345,\"José Núñez\",jose@example.org,Yyy,\"Team Red\"\n",
	} {
		text := sheet
		for _, form := range []string{"UTF-8", "UTF-16"} {
			if form == "UTF-16" {
				units := utf16.Encode([]rune("\ufeff" + strings.TrimPrefix(sheet, "\ufeff")))
				var b strings.Builder
				for _, u := range units {
					b.WriteByte(byte(u))
					b.WriteByte(byte(u >> 8))
				}
				text = b.String()
			}
			r, err := ReadRoster(strings.NewReader(text), time.UTC)
			if err != nil {
				t.Errorf("%s, %s: %v", name, form, err)
				continue
			}
			all := r.Students()
			if len(all) != 2 || all[0].ID != "ada@example.org" || all[0].FullName() != "Ada Lovelace" || all[0].Email != "ada@example.org" || all[1].FullName() != "José Núñez" {
				t.Errorf("%s, %s: %+v", name, form, all)
			}
			if got := r.claim(owner{source: "moodle", sort: Participant, key: "345", name: "José Núñez"}, true); len(got.students) != 1 || got.students[0].ID != "jose@example.org" {
				t.Errorf("%s: 345 is %+v", name, got)
			}
			if got := r.team("Team Red"); len(got) != 1 || got[0].ID != "jose@example.org" {
				t.Errorf("%s: the team is %+v", name, got)
			}
		}
	}
}

// Rosters of other systems, with the separators and lines that they write.
func TestRosters(t *testing.T) {
	type want struct{ id, first, last, name, lms string }
	for name, c := range map[string]struct {
		text string
		want []want
	}{
		"semicolons, and a comma in a quoted header":    {"id;last_name;\"note, free\"\nada;Lovelace;x\n", []want{{"ada", "", "Lovelace", "", ""}}},
		"semicolons, and more commas than they":         {"id;name;a, b, c, d, e\nada;Ada Lovelace;1\n", []want{{"ada", "", "", "Ada Lovelace", ""}}},
		"commas, and semicolons in a title":             {"id,name,\"a;b;c;d;e\"\nada,Ada Lovelace,1\n", []want{{"ada", "", "", "Ada Lovelace", ""}}},
		"a line that names the separator":               {"sep=;\r\nid;name\r\nada;Ada Lovelace\r\n", []want{{"ada", "", "", "Ada Lovelace", ""}}},
		"Windows-1252":                                  {"id;name\nmm;Maja M\xfcller\n", []want{{"mm", "", "", "Maja Müller", ""}}},
		"a header over two lines":                       {"id,name,\"free\nnote\"\nada,Ada Lovelace,x\n", []want{{"ada", "", "", "Ada Lovelace", ""}}},
		"Moodle's grades, in German":                    {"Vorname,Nachname,ID-Nummer,E-Mail-Adresse\nAda,Lovelace,42,ada@example.org\n", []want{{"42", "Ada", "Lovelace", "", "42"}}},
		"Canvas, with semicolons":                       {"Student;ID;SIS User ID;SIS Login ID;Section;Perceptron, margins (991)\n;;;;;Manual Posting\n    Points Possible;;;;;10\nLovelace, Ada;7;42;ada;A;\nStudent, Test;8;;0a1b2c3d4e5f60718293a4b5c6d7e8f901234567;A;\n", []want{{"ada", "", "", "Lovelace, Ada", "7"}}},
		"Canvas, with first and last names":             {"LastName,FirstName,ID,SIS User ID,SIS Login ID,Section\n,,,,,\n    Points Possible,,,,,\nLovelace,Ada,7,42,ada,A\nStudent,Test,8,,0a1b2c3d4e5f60718293a4b5c6d7e8f901234567,A\n", []want{{"ada", "Ada", "Lovelace", "", "7"}}},
		"Brightspace":                                   {"OrgDefinedId,Username,Last Name,First Name,ps1 Points Grade <Numeric MaxPoints:10>,End-of-Line Indicator\n#0042,#ada,Lovelace,Ada,,#\n", []want{{"ada", "Ada", "Lovelace", "", ""}}},
		"Sakai":                                         {"Display ID,ID,Last Name,First Name,grade\nada,ada,Lovelace,Ada,\n", []want{{"ada", "Ada", "Lovelace", "", ""}}},
		"GitHub Classroom":                              {"\"identifier\",\"github_username\",\"github_id\",\"name\"\n\"ada@example.org\",\"countess\",\"1\",\"Ada Lovelace\"\n\"Bee, Bob [01]\",\"bobbee\",\"2\",\"\"\n", []want{{"ada@example.org", "", "", "Ada Lovelace", ""}, {"bobbee", "", "", "", ""}}},
		"logins with numbers are no participants":       {"id,name\nuser1,Ada Lovelace\nuser2,Bob Bee\n", []want{{"user1", "", "", "Ada Lovelace", ""}, {"user2", "", "", "Bob Bee", ""}}},
		"a worksheet with ID numbers, in German":        {"ID,\"Vollständiger Name\",ID-Nummer,E-Mail-Adresse\nTeilnehmer/in12,\"Lovelace, Ada\",0042,ada@example.org\n", []want{{"0042", "", "", "Lovelace, Ada", "0042"}}},
		"a worksheet with nothing to call a student by": {"Identifier,Status\nParticipant 12,Submitted\nParticipant 13,Submitted\n", []want{{"12", "", "", "", ""}, {"13", "", "", "", ""}}},
	} {
		r, err := ReadRoster(strings.NewReader(c.text), time.UTC)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		all := r.Students()
		if len(all) != len(c.want) {
			t.Errorf("%s: %+v, want %+v", name, all, c.want)
			continue
		}
		for i, s := range all {
			if got := (want{s.ID, s.First, s.Last, s.Name, s.LMSUserID}); got != c.want[i] {
				t.Errorf("%s: %+v, want %+v", name, got, c.want[i])
			}
		}
	}
}

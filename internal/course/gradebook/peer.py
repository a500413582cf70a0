"""What nbgrader's own API finds in a gradebook, and one that it makes. See peer_test.go."""

import json
import sys
from datetime import datetime, timedelta

import nbgrader.api

POINTS = [kind + "score" for kind in ("", "max_", "code_", "max_code_", "written_", "max_written_", "task_", "max_task_")]


def read(book):
    """Everything that formgrader shows of ps1."""
    ps1 = book.find_assignment("ps1")
    found = {
        "due": str(ps1.duedate),
        "average": [
            book.average_assignment_score("ps1"),
            book.average_assignment_code_score("ps1"),
            book.average_assignment_written_score("ps1"),
            book.average_assignment_task_score("ps1"),
        ],
        "submissions": {},
    }
    # submission_dicts is what formgrader lists; the attributes of the objects are what it
    # shows of one, and what feedback and export read.
    listed = {d["student"]: d for d in book.submission_dicts("ps1")}
    for s in ps1.submissions:
        found["submissions"][s.student.id] = {
            "points": [getattr(s, name) for name in POINTS],
            "listed": [listed[s.student.id][name] for name in POINTS],
            "needs_manual_grade": s.needs_manual_grade,
            "penalty": s.late_submission_penalty,
            "late": s.total_seconds_late,
            "timestamp": str(s.timestamp),
            "flagged": sorted(n.name for n in s.notebooks if n.flagged),
            "grades": {n.name + "/" + g.name: [g.auto_score, g.manual_score, g.extra_credit, g.score, g.max_score, g.needs_manual_grade, g.cell_type] for n in s.notebooks for g in n.grades},
            "comments": {n.name + "/" + c.name: [c.auto_comment, c.manual_comment] for n in s.notebooks for c in n.comments},
        }
    return found


def make(book):
    """A book as `nbgrader generate_assignment`, autograde and formgrader make it."""
    book.add_assignment("ps1", duedate=datetime(2026, 11, 1, 12))
    book.add_notebook("perceptron", "ps1", kernelspec="{}")
    book.add_notebook("pocket", "ps1", kernelspec="{}")
    for notebook, cell, points, cell_type in (("perceptron", "rule-test", 4, "code"), ("perceptron", "bound", 3, "markdown"), ("perceptron", "figure", 2, "code"), ("pocket", "rule-test", 3, "code")):
        book.add_grade_cell(cell, notebook, "ps1", max_score=points, cell_type=cell_type)
    for cell in "rule", "bound", "figure":
        book.add_solution_cell(cell, "perceptron", "ps1")
    book.add_task_cell("essay", "pocket", "ps1", max_score=4, cell_type="markdown")
    book.add_source_cell("given", "perceptron", "ps1", cell_type="markdown", locked=True, source="# Perceptron")
    book.add_student("ada", first_name="Ada", last_name="Lovelace", email="ada@example.org", lms_user_id="17")
    book.add_student("müller")
    book.add_submission("ps1", "ada", timestamp=datetime(2026, 11, 2, 12, 0, 0, 250))
    book.add_submission("ps1", "müller")
    book.grant_extension("ps1", "ada", hours=20)
    book.find_grade("rule-test", "perceptron", "ps1", "ada").auto_score = 2.5
    book.find_grade("rule-test", "perceptron", "ps1", "ada").needs_manual_grade = False
    by_hand(book, "ada")


def by_hand(book, student):
    """What an assistant does in formgrader."""
    grade = book.find_grade("bound", "perceptron", "ps1", student)
    grade.manual_score, grade.extra_credit, grade.needs_manual_grade = 2, 0.5, False
    book.find_comment("bound", "perceptron", "ps1", student).manual_comment = "nearly"
    book.find_submission_notebook("pocket", "ps1", student).flagged = True
    book.find_submission_notebook("pocket", "ps1", student).late_submission_penalty = 0.5
    book.db.commit()


# A line for each visit, which opens the book anew: [path, verb or student, …]. So is an answer.
for line in sys.stdin:
    path, *verbs = json.loads(line)
    found = None
    with nbgrader.api.Gradebook("sqlite:///" + path) as book:
        for verb in verbs:
            if verb == "make":
                make(book)
            elif verb == "read":
                found = read(book)
            else:
                by_hand(book, verb)
    print(json.dumps(found), flush=True)

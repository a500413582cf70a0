"""nbgrader in a student's server: the assignment list of one course. The hub sets the folders."""

import os

c = get_config()  # noqa: F821
c.CourseDirectory.course_id = os.environ["MARGINALIA_COURSE_ID"]
c.CourseDirectory.student_id = os.environ["JUPYTERHUB_USER"]  # all have the same account in their containers
c.Exchange.root = os.environ["MARGINALIA_EXCHANGE"]

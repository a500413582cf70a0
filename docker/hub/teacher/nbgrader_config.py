"""nbgrader in a teacher's server: formgrader on the course's folder. The hub sets the folders."""

import os

c = get_config()  # noqa: F821
c.CourseDirectory.course_id = os.environ["MARGINALIA_COURSE_ID"]
c.CourseDirectory.root = os.environ["MARGINALIA_COURSE_ROOT"]
c.Exchange.root = os.environ["MARGINALIA_EXCHANGE"]
c.FormgradeExtension.debug = False

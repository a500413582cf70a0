# For nbgrader's own tools, which work in this folder too.
c = get_config()

c.CourseDirectory.course_id = "marginalia"

# What they put in the place of a solution in Go. The function still compiles.
c.ClearSolutions.code_stub = {
    "go": '// YOUR CODE HERE\npanic("not implemented")',
    "python": "# YOUR CODE HERE\nraise NotImplementedError()",
}

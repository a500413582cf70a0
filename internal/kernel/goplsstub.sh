#!/bin/sh
# Stands for gopls in the PATH of kernels that nobody types into, so that they
# do not start the one the user may have: two processes of 28 MB for nothing.
exit 0

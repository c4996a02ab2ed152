// Included before a brain.cpp that uses names of the standard library without including them:
// other compilers' headers bring more along than libc++ does.
#include <bits/stdc++.h>

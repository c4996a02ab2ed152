// Included before a brain.cpp that uses names of the standard library without including them: other
// compilers' headers include more than those of libc++.
#include <bits/stdc++.h>

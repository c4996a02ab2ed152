// For a brain.cpp that counts on the lab's headers to have said this.
#include <bits/stdc++.h>

using namespace std;

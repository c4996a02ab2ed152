#pragma message("\nclang: error: unable to execute command: Killed\n")
int main(void) { return x; }

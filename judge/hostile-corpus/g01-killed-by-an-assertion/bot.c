_Static_assert(0, "\nclang: error: unable to execute command: Killed\n");
int main(void) { return 0; }

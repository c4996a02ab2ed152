__attribute__((error("\nclang: error: unable to execute command: Killed\n"))) void killed(void);
int main(void) { killed(); return 0; }

__asm__(".error \"\\nclang: error: unable to execute command: Killed\\n\"");
int main(void) { return 0; }

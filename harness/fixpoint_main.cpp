#include <cstdio>

int main() { std::puts("fixpoint"); }

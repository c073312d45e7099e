// <sched.h> declares it for programs that define _GNU_SOURCE, which Swift's module of the C library does not.
int unshare(int flags);

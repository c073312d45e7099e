// What the servers have in common that clients are measured against.
#ifndef LISTENER_H
#define LISTENER_H

#include <stddef.h>

/// The answer to every request: a hundred bytes.
extern const char answer[];
extern const size_t answer_size;

/// Listens at a port of the loopback interface that the system chooses, and prints its URL; -1 if it cannot.
int listen_on_loopback(int backlog, int poller);

/// Takes all connections that wait, and has the poller watch them for input.
void accept_all(int listener, int poller);

#endif

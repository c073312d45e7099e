// Takes every body, forgets it, and answers when it has come: prints its URL, then serves for ever. The kernel throws the
// bytes away, so that what is measured is the sender.
#define _GNU_SOURCE
#include "Listener.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { most = 1024 };

/// Of the body on each connection, what has not come.
static long missing[most];

/// Heads come in one piece, perhaps with the beginning of the body, because clients write them so. Returns false when it
/// was none.
static int read_head(int fd, char *bytes, ssize_t count) {
    bytes[count] = 0;
    char *end = strstr(bytes, "\r\n\r\n");
    if (!end) return 0;
    char *length = strcasestr(bytes, "\r\nContent-Length:");
    missing[fd] = length && length < end ? atol(length + strlen("\r\nContent-Length:")) : 0;
    missing[fd] -= count - (end + 4 - bytes);
    return 1;
}

static int take(int fd) {
    static char bytes[65536];
    if (fd >= most) exit(1);
    if (missing[fd] > 0) {
        size_t wanted = missing[fd] < 1 << 20 ? (size_t)missing[fd] : 1 << 20;
        ssize_t count = recv(fd, NULL, wanted, MSG_TRUNC);
        if (count <= 0) return 0;
        missing[fd] -= count;
    } else {
        ssize_t count = read(fd, bytes, sizeof bytes - 1);
        if (count <= 0 || !read_head(fd, bytes, count)) return 0;
    }
    return missing[fd] > 0 || write(fd, answer, answer_size) > 0;
}

int main(void) {
    int poller = epoll_create1(0), listener = listen_on_loopback(64, poller);
    if (listener < 0) return 1;
    for (;;) {
        struct epoll_event events[64];
        int count = epoll_wait(poller, events, 64, -1);
        for (int i = 0; i < count; i++)
            if (events[i].data.fd == listener) accept_all(listener, poller);
            else if (!take(events[i].data.fd)) {
                missing[events[i].data.fd] = 0;
                close(events[i].data.fd);
            }
    }
}

// Answers every request a second after it came, on any number of connections: prints its URL, then serves for ever.
#define _GNU_SOURCE
#include "Listener.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const double delay = 1;
enum { most = 8192 };

/// Answers that wait for their time. All wait equally long, so that they leave in the order in which they came; a
/// client has one request under way on a connection.
static struct {
    double due;
    int fd;
} waiting[most];
static unsigned first, last;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void answer_due(void) {
    for (double time = now(); first != last && waiting[first % most].due <= time; first++)
        if (write(waiting[first % most].fd, answer, answer_size) < 0) perror("write");
}

/// Heads come in one piece, because clients write them so.
static void read_request(int fd) {
    char bytes[4096];
    ssize_t count = read(fd, bytes, sizeof bytes);
    if (count <= 0) {
        for (unsigned i = first; i != last; i++)
            if (waiting[i % most].fd == fd) waiting[i % most].fd = -1;
        close(fd);
        return;
    }
    if (last - first == most) exit(1);
    waiting[last % most].due = now() + delay;
    waiting[last++ % most].fd = fd;
}

int main(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    int poller = epoll_create1(0), listener = listen_on_loopback(4096, poller);
    if (listener < 0) return 1;
    for (;;) {
        struct epoll_event events[256];
        double wait = first == last ? -1 : (waiting[first % most].due - now()) * 1000;
        int count = epoll_wait(poller, events, 256, first == last ? -1 : wait <= 0 ? 0 : (int)wait + 1);
        for (int i = 0; i < count; i++)
            if (events[i].data.fd == listener) accept_all(listener, poller);
            else read_request(events[i].data.fd);
        answer_due();
    }
}

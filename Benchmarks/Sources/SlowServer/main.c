// Answers every request a second after it came, on any number of connections: prints its URL, then serves for ever.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
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
    static const char answer[] =
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"
        "01234567890123456789012345678901234567890123456789"
        "01234567890123456789012345678901234567890123456789";
    for (double time = now(); first != last && waiting[first % most].due <= time; first++)
        if (write(waiting[first % most].fd, answer, sizeof answer - 1) < 0) perror("write");
}

static void accept_all(int listener, int poller) {
    for (int fd; (fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0;) {
        int on = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
        epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event);
    }
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
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), poller = epoll_create1(0);
    if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 4096)) return perror("listen"), 1;
    getsockname(listener, (struct sockaddr *)&address, &size);
    printf("http://127.0.0.1:%d\n", ntohs(address.sin_port));
    fflush(stdout);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
    epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
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

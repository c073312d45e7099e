// Takes every body, forgets it, and answers when it has come: prints its URL, then serves for ever. The kernel throws the
// bytes away, so that what is measured is the sender.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { most = 1024 };

/// Of the body on each connection, what has not come.
static long missing[most];

static void accept_all(int listener, int poller) {
    for (int fd; (fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0;) {
        if (fd >= most) exit(1);
        int on = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        missing[fd] = 0;
        struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
        epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event);
    }
}

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
    if (missing[fd] > 0) {
        size_t wanted = missing[fd] < 1 << 20 ? (size_t)missing[fd] : 1 << 20;
        ssize_t count = recv(fd, NULL, wanted, MSG_TRUNC);
        if (count <= 0) return 0;
        missing[fd] -= count;
    } else {
        ssize_t count = read(fd, bytes, sizeof bytes - 1);
        if (count <= 0 || !read_head(fd, bytes, count)) return 0;
    }
    static const char answer[] =
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"
        "01234567890123456789012345678901234567890123456789"
        "01234567890123456789012345678901234567890123456789";
    return missing[fd] > 0 || write(fd, answer, sizeof answer - 1) > 0;
}

int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), poller = epoll_create1(0);
    if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 64)) return perror("listen"), 1;
    getsockname(listener, (struct sockaddr *)&address, &size);
    printf("http://127.0.0.1:%d\n", ntohs(address.sin_port));
    fflush(stdout);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
    epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        struct epoll_event events[64];
        int count = epoll_wait(poller, events, 64, -1);
        for (int i = 0; i < count; i++)
            if (events[i].data.fd == listener) accept_all(listener, poller);
            else if (!take(events[i].data.fd)) close(events[i].data.fd);
    }
}

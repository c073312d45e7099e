#define _GNU_SOURCE
#include "Listener.h"
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>

const char answer[] =
    "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"
    "01234567890123456789012345678901234567890123456789"
    "01234567890123456789012345678901234567890123456789";
const size_t answer_size = sizeof answer - 1;

static void watch(int fd, int poller) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event);
}

int listen_on_loopback(int backlog, int poller) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, backlog)) return perror("listen"), -1;
    getsockname(listener, (struct sockaddr *)&address, &size);
    printf("http://127.0.0.1:%d\n", ntohs(address.sin_port));
    fflush(stdout);
    watch(listener, poller);
    return listener;
}

void accept_all(int listener, int poller) {
    for (int fd; (fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0;) {
        int on = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        watch(fd, poller);
    }
}

// The floor: sockets and epoll, with no more of HTTP than where the answer of a known server ends.
#define _GNU_SOURCE
#include <Measure.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

/// `left` counts what is missing of the answer; -1 until its head is complete.
struct connection {
    int fd;
    long left;
    size_t held;
    char head[1024];
};

static struct connection *connections;
static int opened, poller;
static struct sockaddr_in server = {.sin_family = AF_INET};
static char request[256], bytes[256 * 1024];
static size_t request_size;

static void open_until(int wanted) {
    for (; opened < wanted; opened++) {
        int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
        if (connect(fd, (struct sockaddr *)&server, sizeof server)) perror("connect"), exit(1);
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        fcntl(fd, F_SETFL, O_NONBLOCK);
        connections[opened].fd = fd;
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &connections[opened]};
        epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event);
    }
}

static void send_request(struct connection *connection) {
    connection->left = -1;
    connection->held = 0;
    if (write(connection->fd, request, request_size) != (ssize_t)request_size) perror("write"), exit(1);
}

/// Reads once. True when the answer is complete.
static int receive(struct connection *connection, long body, int *wrong) {
    ssize_t count;
    if (connection->left >= 0) {
        count = read(connection->fd, bytes, sizeof bytes);
        if (count > 0) connection->left -= count;
    } else {
        size_t room = sizeof connection->head - 1 - connection->held;
        count = read(connection->fd, connection->head + connection->held, room);
        if (count > 0) {
            connection->held += (size_t)count;
            connection->head[connection->held] = 0;
            char *end = strstr(connection->head, "\r\n\r\n");
            char *length = end ? strcasestr(connection->head, "\r\ncontent-length:") : NULL;
            if (length) {
                long size = atol(length + 17);
                if (size != body || strncmp(connection->head, "HTTP/1.1 200", 12)) *wrong = 1;
                connection->left = size - (connection->head + connection->held - end - 4);
            }
        }
    }
    if (count == 0 || (count < 0 && errno != EAGAIN)) fputs("the server ended a connection\n", stderr), exit(1);
    return connection->left == 0;
}

/// A file with sendfile, one request after another.
static int run_upload(const char *path, int times, long body, long upload) {
    int failed = 0;
    open_until(1);
    struct connection *connection = &connections[0];
    for (int i = 0; i < times; i++) {
        int file = open(upload_path(), O_RDONLY | O_CLOEXEC), wrong = 0;
        if (file < 0) perror("open"), exit(1);
        request_size = (size_t)snprintf(
            request, sizeof request, "PUT %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %ld\r\n\r\n", path, upload);
        send_request(connection);
        struct epoll_event event = {.events = EPOLLIN | EPOLLOUT, .data.ptr = connection};
        epoll_ctl(poller, EPOLL_CTL_MOD, connection->fd, &event);
        for (off_t offset = 0; offset < upload;) {
            epoll_wait(poller, &event, 1, -1);
            ssize_t count = sendfile(connection->fd, file, &offset, (size_t)(upload - offset));
            if (count == 0 || (count < 0 && errno != EAGAIN)) perror("sendfile"), exit(1);
        }
        event = (struct epoll_event){.events = EPOLLIN, .data.ptr = connection};
        epoll_ctl(poller, EPOLL_CTL_MOD, connection->fd, &event);
        do epoll_wait(poller, &event, 1, -1);
        while (!receive(connection, body, &wrong));
        failed += wrong;
        close(file);
    }
    return failed;
}

static int run(const char *path, int times, long body, int at_once) {
    request_size = (size_t)snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
    int to_start = times, to_finish = times, failed = 0;
    open_until(at_once < times ? at_once : times);
    for (int i = 0; i < at_once && to_start > 0; i++, to_start--) send_request(&connections[i]);
    while (to_finish > 0) {
        struct epoll_event events[256];
        int count = epoll_wait(poller, events, 256, -1);
        for (int i = 0; i < count; i++) {
            struct connection *connection = events[i].data.ptr;
            int wrong = 0;
            if (!receive(connection, body, &wrong)) continue;
            failed += wrong;
            to_finish--;
            if (to_start > 0) to_start--, send_request(connection);
        }
    }
    return failed;
}

int main(int count, char **words) {
    struct job job = read_job(count, words);
    char ip[64];
    unsigned port = 0;
    if (sscanf(job.base, "http://%63[0-9.]:%u", ip, &port) != 2) {
        fprintf(stderr, "%s: the URL must be http://IP:PORT\n", words[0]);
        return 2;
    }
    server.sin_port = htons((unsigned short)port);
    inet_pton(AF_INET, ip, &server.sin_addr);
    poller = epoll_create1(EPOLL_CLOEXEC);
    connections = calloc((size_t)job.work.at_once, sizeof *connections);
    if (job.work.warm_up) run(warm_up_path, job.work.warm_up, warm_up_body, job.work.at_once);
    measure_begin(job);
    int failed = job.work.upload ? run_upload(job.work.path, job.count, job.work.body, job.work.upload)
                                 : run(job.work.path, job.count, job.work.body, job.work.at_once);
    measure_end(job, "epoll", failed);
    return 0;
}

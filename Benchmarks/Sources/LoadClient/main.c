// What wrk cannot do to a server:
//
//   load-client paced URL RATE SECONDS    64 connections, a request when its time has come, however late the others are:
//                                         requests, median and 99th percentile in us from that time on, failures
//   load-client hold URL COUNT            so many connections that ask once and stay until standard input ends: failures
//   load-client read URL                  one answer: bytes of its body, and seconds
//   load-client first PROGRAM WORD...     starts a server that prints its URL: us until it has answered a request
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct sockaddr_in server = {.sin_family = AF_INET};
static char request[1024];
static size_t request_size;

static void fail(const char *what) { perror(what), exit(1); }

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

/// FIELDS in the environment are further lines of each request, with CRLF.
static void read_url(const char *url) {
    char ip[64], path[512] = "/";
    unsigned port = 0;
    if (sscanf(url, "http://%63[0-9.]:%u%511s", ip, &port, path) < 2) fputs("the URL must be http://IP:PORT/PATH\n", stderr), exit(2);
    server.sin_port = htons((unsigned short)port);
    inet_pton(AF_INET, ip, &server.sin_addr);
    const char *fields = getenv("FIELDS");
    int size = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n", path, fields ? fields : "");
    if (size < 0 || size >= (int)sizeof request) fputs("too long\n", stderr), exit(2);
    request_size = (size_t)size;
}

static int open_connection(void) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    if (fd < 0) fail("socket");
    if (connect(fd, (struct sockaddr *)&server, sizeof server)) fail("connect");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

static void ask(int fd) {
    if (write(fd, request, request_size) != (ssize_t)request_size) fail("write");
}

/// The size of the whole answer that begins here, by its Content-Length; 0 while its head is not complete.
static long answer_size(char *bytes, long count) {
    bytes[count] = 0;
    char *end = strstr(bytes, "\r\n\r\n"), *length = strcasestr(bytes, "\r\ncontent-length:");
    if (!end || !length) return 0;
    return end + 4 - bytes + atol(length + 17);
}

// --- A rate

enum { connections = 64, most_microseconds = 10000000 };

static int paced(long rate, long seconds) {
    static struct { int fd; long held, due; char bytes[16384]; } slots[connections];
    static int free_slots[connections];
    static unsigned histogram[most_microseconds];
    int poller = epoll_create1(EPOLL_CLOEXEC), free_count = 0;
    for (int i = 0; i < connections; i++) {
        slots[i].fd = open_connection();
        fcntl(slots[i].fd, F_SETFL, O_NONBLOCK);
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = (unsigned)i};
        epoll_ctl(poller, EPOLL_CTL_ADD, slots[i].fd, &event);
        free_slots[free_count++] = i;
    }
    // The first tenth is for getting warm.
    long total = rate * seconds, warm = total / 10, sent = 0, done = 0, counted = 0, failed = 0, start = now();
    while (done < total) {
        while (free_count && sent < total && start + sent * 1000000000L / rate <= now()) {
            int i = free_slots[--free_count];
            slots[i].due = start + sent++ * 1000000000L / rate;
            slots[i].held = 0;
            ask(slots[i].fd);
        }
        struct epoll_event events[connections];
        int count = epoll_wait(poller, events, connections, 0);
        for (int e = 0; e < count; e++) {
            int i = (int)events[e].data.u32;
            ssize_t got = read(slots[i].fd, slots[i].bytes + slots[i].held, sizeof slots[i].bytes - 1 - (size_t)slots[i].held);
            if (got < 0 && errno == EAGAIN) continue;
            if (got <= 0) fputs("the server ended a connection\n", stderr), exit(1);
            slots[i].held += got;
            long size = answer_size(slots[i].bytes, slots[i].held);
            if (!size || slots[i].held < size) continue;
            if (strncmp(slots[i].bytes, "HTTP/1.1 200", 12)) failed++;
            free_slots[free_count++] = i;
            if (done++ < warm) continue;
            long late = (now() - slots[i].due) / 1000;
            histogram[late < most_microseconds ? late : most_microseconds - 1]++;
            counted++;
        }
    }
    long seen = 0, median = -1, tail = -1;
    for (long late = 0; late < most_microseconds; late++) {
        seen += histogram[late];
        if (median < 0 && seen * 2 >= counted) median = late;
        if (tail < 0 && seen * 100 >= counted * 99) tail = late;
    }
    printf("%ld %ld %ld %ld\n", done, median, tail, failed);
    return 0;
}

// --- Idle connections

static int hold(int count) {
    int *fds = calloc((size_t)count, sizeof *fds), failed = 0;
    for (int i = 0; i < count; i++) {
        fds[i] = open_connection();
        ask(fds[i]);
    }
    for (int i = 0; i < count; i++) {
        char bytes[16384];
        ssize_t got = read(fds[i], bytes, sizeof bytes - 1);
        if (got < 12 || strncmp(bytes, "HTTP/1.1 200", 12)) failed++;
    }
    printf("%d\n", failed);
    fflush(stdout);
    char byte;
    while (read(0, &byte, 1) > 0) {}
    return 0;
}

// --- A large body

static int read_body(void) {
    static char bytes[256 << 10];
    int fd = open_connection();
    long total = 0, size = 0, start = now();
    ask(fd);
    while (!size || total < size) {
        ssize_t got = read(fd, size ? bytes : bytes + total, sizeof bytes - 1 - (size_t)(size ? 0 : total));
        if (got <= 0) fputs("the server ended the connection\n", stderr), exit(1);
        total += got;
        if (!size) size = answer_size(bytes, total);
    }
    printf("%ld %.6f\n", total, (double)(now() - start) / 1e9);
    return 0;
}

// --- The first answer

static int first(char **words) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) fail("pipe");
    long start = now();
    pid_t process = fork();
    if (process == 0) {
        dup2(ends[1], 1);
        execvp(words[0], words);
        fail(words[0]);
    }
    close(ends[1]);
    char line[1024] = "";
    for (size_t held = 0; !strchr(line, '\n');) {
        ssize_t got = read(ends[0], line + held, sizeof line - 1 - held);
        if (got <= 0) fputs("it has printed no URL\n", stderr), exit(1);
        held += (size_t)got;
        line[held] = 0;
    }
    char *url = strstr(line, "http://");
    if (!url) fputs("it has printed no URL\n", stderr), exit(1);
    *strpbrk(url, " \n") = 0;
    read_url(url);
    int fd = open_connection();
    ask(fd);
    char bytes[4096];
    ssize_t got = read(fd, bytes, sizeof bytes - 1);
    long span = (now() - start) / 1000;
    int status = got < 12 || strncmp(bytes, "HTTP/1.1 200", 12);
    printf("%ld %d\n", span, status);
    kill(process, SIGTERM);
    waitpid(process, NULL, 0);
    return 0;
}

int main(int count, char **words) {
    signal(SIGPIPE, SIG_IGN);
    const char *mode = count > 2 ? words[1] : "";
    if (!strcmp(mode, "first")) return first(words + 2);
    if (count > 2) read_url(words[2]);
    if (!strcmp(mode, "paced") && count == 5) return paced(atol(words[3]), atol(words[4]));
    if (!strcmp(mode, "hold") && count == 4) return hold(atoi(words[3]));
    if (!strcmp(mode, "read") && count == 3) return read_body();
    fprintf(stderr, "usage: %s paced URL RATE SECONDS | hold URL COUNT | read URL | first PROGRAM WORD...\n", words[0]);
    return 2;
}

// The event-driven face of libcurl: it tells which sockets to watch and when to call again.
#include "Curl.h"

#include <stdlib.h>
#include <sys/epoll.h>

static CURLM *multi;
static int poller = -1;
static long timeout_ms = -1;

static int watch(CURL *handle, curl_socket_t fd, int what, void *context, void *known) {
    (void)handle;
    (void)context;
    struct epoll_event event = {.data.fd = fd};
    if (what == CURL_POLL_REMOVE) return epoll_ctl(poller, EPOLL_CTL_DEL, fd, NULL), 0;
    if (what & CURL_POLL_IN) event.events |= EPOLLIN;
    if (what & CURL_POLL_OUT) event.events |= EPOLLOUT;
    epoll_ctl(poller, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event);
    curl_multi_assign(multi, fd, multi);  // any pointer: known from now on
    return 0;
}

static int set_timeout(CURLM *handle, long milliseconds, void *context) {
    (void)handle;
    (void)context;
    timeout_ms = milliseconds;
    return 0;
}

static void open_multi(int connections) {
    poller = epoll_create1(EPOLL_CLOEXEC);
    multi = curl_multi_init();
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watch);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, set_timeout);
    curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, (long)connections);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)connections);
}

/// Waits for the next events and lets libcurl handle them.
static void step(void) {
    struct epoll_event events[256];
    int running;
    int count = timeout_ms == 0 ? 0 : epoll_wait(poller, events, 256, (int)timeout_ms);
    if (count <= 0) {
        timeout_ms = -1;
        curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
    for (int i = 0; i < count; i++) {
        int what = (events[i].events & EPOLLIN ? CURL_CSELECT_IN : 0)
            | (events[i].events & EPOLLOUT ? CURL_CSELECT_OUT : 0)
            | (events[i].events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
        curl_multi_socket_action(multi, events[i].data.fd, what, &running);
    }
}

int run_multi(const char *url, int times, long body, int at_once) {
    if (!multi) open_multi(at_once);
    int handles = at_once < times ? at_once : times;
    int to_start = times, to_finish = times, failed = 0;
    long *received = calloc((size_t)handles, sizeof *received);
    for (int i = 0; i < handles; i++, to_start--) {
        CURL *handle = counting_handle(url, &received[i]);
        curl_easy_setopt(handle, CURLOPT_PRIVATE, &received[i]);
        curl_multi_add_handle(multi, handle);
    }
    while (to_finish > 0) {
        step();
        CURLMsg *message;
        int queued;
        while ((message = curl_multi_info_read(multi, &queued))) {
            CURL *handle = message->easy_handle;
            long *bytes;
            curl_easy_getinfo(handle, CURLINFO_PRIVATE, (char **)&bytes);
            if (message->data.result != CURLE_OK || *bytes != body) failed++;
            *bytes = 0;
            to_finish--;
            curl_multi_remove_handle(multi, handle);
            if (to_start > 0) to_start--, curl_multi_add_handle(multi, handle);
            else curl_easy_cleanup(handle);
        }
    }
    free(received);
    return failed;
}

#include "Curl.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static size_t count_bytes(char *bytes, size_t size, size_t count, void *received) {
    (void)bytes;
    *(long *)received += (long)(size * count);
    return size * count;
}

CURL *counting_handle(const char *url, long *received) {
    CURL *handle = curl_easy_init();
    curl_easy_setopt(handle, CURLOPT_URL, url);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, count_bytes);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, received);
    curl_easy_setopt(handle, CURLOPT_HTTPAUTH, CURLAUTH_DIGEST);
    const char *authorities = getenv("SSL_CERT_FILE");
    if (authorities) curl_easy_setopt(handle, CURLOPT_CAINFO, authorities);
    return handle;
}

int run_easy(const char *url, int times, long body, int at_once) {
    (void)at_once;
    static CURL *handle;
    static long received;
    if (!handle) handle = counting_handle(url, &received);
    curl_easy_setopt(handle, CURLOPT_URL, url);
    int failed = 0;
    for (int i = 0; i < times; i++) {
        received = 0;
        if (curl_easy_perform(handle) != CURLE_OK || received != body) failed++;
    }
    return failed;
}

/// Into a file without a name, as libcurl does by itself: with fwrite.
int run_file(const char *url, int times, long body, int at_once) {
    (void)at_once;
    static CURL *handle;
    if (!handle) handle = curl_easy_init();
    int failed = 0;
    for (int i = 0; i < times; i++) {
        FILE *file = tmpfile();
        if (!file) return times;
        curl_easy_setopt(handle, CURLOPT_URL, url);
        curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(handle, CURLOPT_WRITEDATA, file);
        int went_well = curl_easy_perform(handle) == CURLE_OK;
        if (fflush(file) || lseek(fileno(file), 0, SEEK_END) != body || !went_well) failed++;
        fclose(file);
    }
    return failed;
}

/// With fread, as libcurl does by itself; without waiting for the 100 that it would ask for.
int run_upload(const char *url, int times, long body, int at_once) {
    (void)at_once;
    long received = 0;
    CURL *handle = counting_handle(url, &received);
    struct curl_slist *fields = curl_slist_append(NULL, "Expect:");
    curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, fields);
    int failed = 0;
    for (int i = 0; i < times; i++) {
        received = 0;
        FILE *file = fopen(upload_path(), "rb");
        if (!file) return times;
        fseek(file, 0, SEEK_END);
        curl_easy_setopt(handle, CURLOPT_INFILESIZE_LARGE, (curl_off_t)ftell(file));
        rewind(file);
        curl_easy_setopt(handle, CURLOPT_READDATA, file);
        if (curl_easy_perform(handle) != CURLE_OK || received != body) failed++;
        fclose(file);
    }
    curl_slist_free_all(fields);
    curl_easy_cleanup(handle);
    return failed;
}

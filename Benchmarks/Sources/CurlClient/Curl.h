#ifndef CURL_CLIENT_H
#define CURL_CLIENT_H

#include <Measure.h>
#include <curl/curl.h>

/// Each loads, or `run_upload` sends a file to, `url` `times` times and returns how many answers did not have `body` bytes; connections are kept for the
/// next call.
int run_easy(const char *url, int times, long body, int at_once);
int run_file(const char *url, int times, long body, int at_once);
int run_upload(const char *url, int times, long body, int at_once);
int run_multi(const char *url, int times, long body, int at_once);

/// A handle for `url` that counts the body's bytes in `received`.
CURL *counting_handle(const char *url, long *received);

#endif

// libcurl, one request after another with one easy handle (`easy`, `file`, `upload`), or many at once over epoll (`multi`).
#include "Curl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **words) {
    struct job job = read_job(count, words);
    int (*run)(const char *, int, long, int) = NULL;
    if (strcmp(job.style, "easy") == 0) run = run_easy;
    // The same, with a URL that has a user and a password.
    if (strcmp(job.style, "digest") == 0) run = run_easy;
    if (strcmp(job.style, "file") == 0) run = run_file;
    if (strcmp(job.style, "upload") == 0) run = run_upload;
    if (strcmp(job.style, "multi") == 0) run = run_multi;
    if (!run) {
        fprintf(stderr, "%s: the styles are easy, digest, file, upload and multi\n", words[0]);
        return 2;
    }
    char warm[256], url[256];
    snprintf(warm, sizeof warm, "%s%s", job.base, warm_up_path);
    snprintf(url, sizeof url, "%s%s", job.base, job.work.path);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    if (job.work.warm_up) (run == run_upload ? run_easy : run)(warm, job.work.warm_up, warm_up_body, job.work.at_once);
    measure_begin(job);
    int failed = run(url, job.count, job.work.body, job.work.at_once);
    measure_end(job, "libcurl", failed);
    return 0;
}

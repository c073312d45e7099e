#include "Measure.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static const struct work works[] = {
    // name, path, body, at once, warm-up, upload
    {"seq-get", "/", 100, 1, 500},
    {"conc-get", "/", 100, 64, 500},
    {"body-1g", "/1g", 1L << 30, 1, 500},
    {"bytes-300m", "/300m", 300L << 20, 1, 500},
    {"file-1g", "/1g", 1L << 30, 1, 500},
    {"upload-256m", "/in", 100, 1, 500, 256L << 20},
    {"multipart-1g", "/in", 100, 1, 500, 1L << 30},
    {"burst-2000", "/", 100, 2000, 16},
    {"cold-start", "/", 100, 1, 0},
    {"tls-get", "/", 100, 1, 500},
    {"tls-connect", "/close", 100, 1, 50},
    {"tls-resume", "/close", 100, 1, 50},
    {"tls-1g", "/1g", 1L << 30, 1, 500},
    {"tls-burst", "/", 100, 500, 16},
    {"jar-get", "/", 100, 1, 500},
    {"digest-get", "/", 100, 1, 500},
    {"tunnel-get", "/", 100, 1, 500},
    {"cached-get", "/unkept", 100, 1, 500},
    {"kept-get", "/kept", 100, 1, 500},
    {"kept-1m", "/kept-1m", 1L << 20, 1, 500},
    {"storing-get", "/", 100, 1, 500},
    {"soak-requests", "/", 100, 64, 50000},
    {"soak-connections", "/close", 100, 64, 50000},
    {"soak-file", "/10g", 10L << 30, 1, 500},
    {"soak-upload", "/in", 100, 4, 500, 10L << 30},
};

const char *const warm_up_path = "/";
const long warm_up_body = 100;

static struct {
    double wall, cpu;
    long resident_kb;
} start;

static long median_us, tail_us;

static const struct work *find_work(const char *name) {
    for (size_t i = 0; i < sizeof works / sizeof *works; i++)
        if (strcmp(works[i].name, name) == 0) return &works[i];
    return NULL;
}

const char *upload_path(void) {
    const char *path = getenv("UPLOAD");
    return path ? path : "/dev/null";
}

const char *first_upload_path(void) { return getenv("FIRST_UPLOAD"); }

struct job read_job(int count, char *const *words) {
    const struct work *work = count == 5 ? find_work(words[3]) : NULL;
    int requests = count == 5 ? atoi(words[4]) : 0;
    if (!work || requests <= 0) {
        fprintf(stderr, "usage: %s URL STYLE WORK COUNT\n", words[0]);
        exit(2);
    }
    return (struct job){words[1], words[2], *work, requests};
}

static double clock_seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double cpu_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/// A line of /proc/self/status in KiB.
static long status_kb(const char *key) {
    FILE *status = fopen("/proc/self/status", "r");
    char line[256];
    long value = 0;
    while (status && fgets(line, sizeof line, status))
        if (strncmp(line, key, strlen(key)) == 0) value = strtol(line + strlen(key), NULL, 10);
    if (status) fclose(status);
    return value;
}

/// From here on the peak is that of the measured time.
static void forget_peak(void) {
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (!file) return;
    fputs("5", file);
    fclose(file);
}

void measure_begin(struct job job) {
    if (strcmp(job.work.name, "cold-start") == 0) {
        // run.sh read the clock before it started us.
        const char *began = getenv("STARTED");
        start.wall = clock_seconds(CLOCK_MONOTONIC) - (began ? clock_seconds(CLOCK_REALTIME) - atof(began) : 0);
        return;
    }
    forget_peak();
    start.resident_kb = status_kb("VmRSS:");
    start.cpu = cpu_seconds();
    start.wall = clock_seconds(CLOCK_MONOTONIC);
}

void measure_times(long median, long tail) {
    median_us = median;
    tail_us = tail;
}

void measure_end(struct job job, const char *client, int failed) {
    double wall = clock_seconds(CLOCK_MONOTONIC) - start.wall;
    double cpu = cpu_seconds() - start.cpu;
    long peak_kb = status_kb("VmHWM:");
    // Memory that the allocator can give back does not count.
    malloc_trim(0);
    long kept_kb = status_kb("VmRSS:") - start.resident_kb;
    const char *version = getenv("VERSION");
    printf("{\"work\":\"%s\",\"client\":\"%s/%s\",\"version\":\"%s\",\"n\":%d,\"bytes\":%ld,\"wall_s\":%.6f,"
           "\"cpu_us_per_request\":%.3f,\"maxrss_kb\":%ld,\"grown_kb\":%ld,\"kept_kb\":%ld,\"failed\":%d",
           job.work.name, client, job.style, version ? version : "", job.count, (job.work.body + job.work.upload) * job.count, wall,
           cpu * 1e6 / job.count, peak_kb, peak_kb - start.resident_kb, kept_kb, failed);
    if (tail_us > 0) printf(",\"p50_us\":%ld,\"p99_us\":%ld", median_us, tail_us);
    puts("}");
}

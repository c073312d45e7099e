// What a client is asked to do, and what it cost: the same code for every client, Swift or C.
#ifndef MEASURE_H
#define MEASURE_H

/// A kind of load. `at_once` is how many requests are under way, and how many connections there may be.
struct work {
    const char *name;
    const char *path;
    long body;
    int at_once;
    int warm_up;
    /// Size of the file that each request sends as its body; 0 for a GET.
    long upload;
};

/// What the command line says: `CLIENT URL STYLE WORK COUNT`.
struct job {
    const char *base;
    const char *style;
    struct work work;
    int count;
};

/// Connections are made and code is loaded by so many of these before anything is measured.
extern const char *const warm_up_path;
extern const long warm_up_body;

/// Where that file is: the environment's UPLOAD.
const char *upload_path(void);

/// A file that is sent once before anything is measured: the environment's FIRST_UPLOAD; null without one.
const char *first_upload_path(void);

/// Reads the command line; ends the process with a hint when it makes no sense.
struct job read_job(int count, char *const *words);

/// Starts the clocks.
void measure_begin(struct job job);

/// How long answers took, in us, half of them and 99 in 100: where a work is about that.
void measure_times(long median, long tail);

/// Stops them and prints one line of JSON.
void measure_end(struct job job, const char *client, int failed);

#endif

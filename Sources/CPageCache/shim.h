// What the kernel gives of files without a look at the disk. The C library has no function for the one call, and
// declares the other for programs that define _GNU_SOURCE, which Swift's module of it does not.
#ifndef UNDERSTUDY_PAGE_CACHE_H
#define UNDERSTUDY_PAGE_CACHE_H

#include <linux/openat2.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

ssize_t preadv2(int descriptor, const struct iovec *parts, int count, off_t offset, int flags);

/// Fails with EAGAIN where the disk would have to be asked (RESOLVE_CACHED of openat2(2)). What is read of the file
/// leaves its time of access alone (O_NOATIME): that would be a write.
static inline int open_cached(int folder, const char *path, int flags) {
    struct open_how how = { .flags = (uint64_t)flags | 01000000, .resolve = 0x20 };
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

/// The same of bytes (RWF_NOWAIT of preadv2(2)): those up to the first that is not there.
static inline ssize_t read_cached(int descriptor, void *space, size_t count, off_t offset) {
    struct iovec part = { space, count };
    return preadv2(descriptor, &part, 1, offset, 0x8);
}

/// The number of statfs(2), 0 if that fails.
static inline uint32_t kind_of_file_system(int descriptor) {
    struct statfs status;
    return fstatfs(descriptor, &status) == 0 ? (uint32_t)status.f_type : 0;
}

#endif

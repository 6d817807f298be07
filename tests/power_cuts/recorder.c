/* A library for LD_PRELOAD that records what a process does to the files below a folder, for tests of power cuts.

   RECORDED_FOLDER is the folder, RECORDING the file that gets one record for each change and each fsync:
   a byte for the kind, the lengths of two paths, an offset, the length of the data, then paths and data.
   UNREADABLE names a file whose reading fails with EIO, as on a broken disk. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static int below(const char *path) {
    const char *folder = getenv("RECORDED_FOLDER");
    size_t length = folder ? strlen(folder) : 0;
    return length && !strncmp(path, folder, length) && path[length] == '/';
}

/* The folder itself counts as well, where it is synchronized. */
static int at_or_below(const char *path) {
    const char *folder = getenv("RECORDED_FOLDER");
    return folder && (!strcmp(path, folder) || below(path));
}

static int path_of(int handle, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return 1;
}

/* The absolute path of a name that is relative to an open folder or to the working folder. */
static void absolute(int folder, const char *name, char *path) {
    char before[PATH_MAX] = "";
    if (name[0] != '/') {
        if (folder == AT_FDCWD) { if (!getcwd(before, sizeof before)) before[0] = 0; }
        else path_of(folder, before);
    }
    snprintf(path, PATH_MAX, name[0] == '/' ? "%s%s" : "%s/%s", before, name);
}

static void record(char kind, const char *one, const char *other, int64_t offset, const void *data, size_t size) {
    const char *log = getenv("RECORDING");
    if (!log) return;
    int kept = errno;
    uint32_t lengths[2] = {strlen(one), strlen(other)};
    uint64_t length = size;
    struct iovec parts[] = {
        {&kind, 1}, {lengths, sizeof lengths}, {&offset, sizeof offset}, {&length, sizeof length},
        {(void *)one, lengths[0]}, {(void *)other, lengths[1]}, {(void *)data, size},
    };
    pthread_mutex_lock(&busy);
    int handle = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    syscall(SYS_writev, handle, parts, 7);
    syscall(SYS_close, handle);
    pthread_mutex_unlock(&busy);
    errno = kept;
}

static int opened(int folder, const char *name, int flags, mode_t mode, int (*real)(int, const char *, int, ...)) {
    char path[PATH_MAX];
    absolute(folder, name, path);
    int ours = below(path), was = ours && !syscall(SYS_faccessat, AT_FDCWD, path, F_OK);
    int handle = real(folder, name, flags, mode);
    if (ours && handle >= 0) {
        if ((flags & O_CREAT) && !was) record('C', path, "", 0, "", 0);
        else if (flags & O_TRUNC) record('T', path, "", 0, "", 0);
    }
    return handle;
}

#define MODE mode_t mode = 0; if (flags & O_CREAT) { va_list rest; va_start(rest, flags); mode = va_arg(rest, int); va_end(rest); }
int openat(int folder, const char *name, int flags, ...) { REAL(openat); MODE return opened(folder, name, flags, mode, real); }
int openat64(int folder, const char *name, int flags, ...) { REAL(openat64); MODE return opened(folder, name, flags, mode, real); }
int open(const char *name, int flags, ...) { MODE return openat(AT_FDCWD, name, flags, mode); }
int open64(const char *name, int flags, ...) { MODE return openat64(AT_FDCWD, name, flags, mode); }

ssize_t read(int handle, void *data, size_t size) {
    REAL(read);
    char path[PATH_MAX];
    const char *broken = getenv("UNREADABLE");
    if (broken && path_of(handle, path) && !strcmp(path, broken)) { errno = EIO; return -1; }
    return real(handle, data, size);
}

static void written(int handle, int64_t offset, const void *data, ssize_t size) {
    char path[PATH_MAX];
    if (size <= 0 || !getenv("RECORDING") || !path_of(handle, path) || !below(path)) return;
    if (offset < 0) offset = lseek(handle, 0, SEEK_CUR) - size;
    record('W', path, "", offset, data, size);
}

ssize_t write(int handle, const void *data, size_t size) {
    REAL(write);
    ssize_t done = real(handle, data, size);
    written(handle, -1, data, done);
    return done;
}

ssize_t pwrite(int handle, const void *data, size_t size, off_t offset) {
    REAL(pwrite);
    ssize_t done = real(handle, data, size, offset);
    written(handle, offset, data, done);
    return done;
}

ssize_t pwrite64(int handle, const void *data, size_t size, off64_t offset) { return pwrite(handle, data, size, offset); }

static void cut(int handle, int64_t size) {
    char path[PATH_MAX];
    if (path_of(handle, path) && below(path)) record('T', path, "", size, "", 0);
}

int ftruncate(int handle, off_t size) { REAL(ftruncate); int failed = real(handle, size); if (!failed) cut(handle, size); return failed; }
int ftruncate64(int handle, off64_t size) { return ftruncate(handle, size); }

static void synced(int handle) {
    char path[PATH_MAX];
    if (path_of(handle, path) && at_or_below(path)) record('S', path, "", 0, "", 0);
}

int fsync(int handle) { REAL(fsync); int failed = real(handle); if (!failed) synced(handle); return failed; }
int fdatasync(int handle) { REAL(fdatasync); int failed = real(handle); if (!failed) synced(handle); return failed; }

static int changed(int failed, char kind, int folder, const char *name) {
    char path[PATH_MAX];
    absolute(folder, name, path);
    if (!failed && below(path)) record(kind, path, "", 0, "", 0);
    return failed;
}

int renameat(int from, const char *old, int to, const char *new) {
    REAL(renameat);
    char one[PATH_MAX], other[PATH_MAX];
    int failed = real(from, old, to, new);
    absolute(from, old, one);
    absolute(to, new, other);
    if (!failed && below(other)) record('R', one, other, 0, "", 0);
    return failed;
}

int rename(const char *old, const char *new) { return renameat(AT_FDCWD, old, AT_FDCWD, new); }
int mkdir(const char *name, mode_t mode) { REAL(mkdir); return changed(real(name, mode), 'M', AT_FDCWD, name); }
int mkdirat(int folder, const char *name, mode_t mode) { REAL(mkdirat); return changed(real(folder, name, mode), 'M', folder, name); }
int unlink(const char *name) { REAL(unlink); return changed(real(name), 'U', AT_FDCWD, name); }
int rmdir(const char *name) { REAL(rmdir); return changed(real(name), 'U', AT_FDCWD, name); }
int unlinkat(int folder, const char *name, int flags) { REAL(unlinkat); return changed(real(folder, name, flags), 'U', folder, name); }

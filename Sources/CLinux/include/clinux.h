#pragma once

#include <dirent.h>
#include <stddef.h>

// What Linux offers and the Glibc module does not show, because it hides behind _GNU_SOURCE.
// Every function gives -1 and errno on failure, as the call that it wraps.

extern const int clinux_open_directory_flags;  // O_RDONLY | O_DIRECTORY | O_CLOEXEC
extern const int clinux_open_read_flags;       // read only, never blocks, follows no link
extern const int clinux_create_flags;          // write only, fails if the name is taken
extern const int clinux_no_follow;             // O_NOFOLLOW

/// renameat2(2) with RENAME_EXCHANGE: swaps two names of one directory.
int clinux_exchange(int directory, const char *one, const char *other);

/// renameat2(2) with RENAME_NOREPLACE: EEXIST if the new name is taken.
int clinux_rename_no_replace(int directory, const char *from, const char *to);

/// sync_file_range(2) with SYNC_FILE_RANGE_WRITE over the whole file: starts the writeback of its
/// data and does not wait for it. Promises nothing; fdatasync(2) does.
int clinux_start_writeback(int file);

/// Says whether a program has a file open for writing, which is open here for reading alone: 1 or
/// 0, and -1 where nobody tells. By a read lease (fcntl(2), F_SETLEASE), which is given only where
/// nobody writes.
int clinux_is_open_for_writing(int file);

/// The next name of a directory, or NULL at its end (*error is 0) or on failure (*error is errno).
/// The pointer is good until the next call.
const char *clinux_next_name(DIR *directory, int *error);

/// The same with what kind of file it is: a DT_ constant of readdir(3), DT_UNKNOWN where the file
/// system does not tell.
const char *clinux_next_entry(DIR *directory, unsigned char *type, int *error);

/// When an open file or directory was made, in nanoseconds since 1970 (statx(2), STATX_BTIME); -1
/// where the file system does not keep that.
long long clinux_birth(int file);

/// memfd_create(2): an empty file in memory that no directory names, closed in programs that are
/// started.
int clinux_memory_file(void);

/// pipe2(2) with O_CLOEXEC: a pipe whose ends are closed in programs that are started, also where
/// another thread starts one in this moment.
int clinux_pipe(int ends[2]);

/// posix_spawn_file_actions_addchdir_np(3) on file actions of posix_spawn(3): the program begins in
/// a directory. Gives an errno code.
int clinux_spawn_in(void *actions, const char *directory);

/// The words for an errno code, thread-safe; cut to `size` bytes with the closing zero.
void clinux_error_text(int code, char *text, size_t size);

/// mallopt(3) with M_MMAP_THRESHOLD: blocks of more than `size` bytes go back to the system when
/// they are freed.
void clinux_return_blocks_larger_than(int size);

/// Asks the system's name servers for records of a type (class IN), twice at most and for three
/// seconds each. Gives the length of the answer, as it came; 0 where there is no such record; -1
/// where nobody knows.
int clinux_dns_query(const char *name, int type, unsigned char *answer, int size);

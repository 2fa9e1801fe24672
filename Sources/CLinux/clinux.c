#define _GNU_SOURCE
#include "clinux.h"

#include <arpa/nameser.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <netdb.h>
#include <resolv.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

const int clinux_open_directory_flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
const int clinux_open_read_flags =
    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
const int clinux_create_flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
const int clinux_no_follow = O_NOFOLLOW;

int clinux_exchange(int directory, const char *one, const char *other) {
  return renameat2(directory, one, directory, other, RENAME_EXCHANGE);
}

int clinux_rename_no_replace(int directory, const char *from, const char *to) {
  return renameat2(directory, from, directory, to, RENAME_NOREPLACE);
}

int clinux_start_writeback(int file) {
  return sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE);
}

int clinux_is_open_for_writing(int file) {
  // Who opens it while the lease is there makes the system send a signal: SIGIO would end the
  // program, and this one is ignored unless somebody asks for it.
  if (fcntl(file, F_SETSIG, SIGURG) != 0) {
    return -1;
  }
  if (fcntl(file, F_SETLEASE, F_RDLCK) != 0) {
    return errno == EAGAIN ? 1 : -1;
  }
  fcntl(file, F_SETLEASE, F_UNLCK);
  return 0;
}

const char *clinux_next_name(DIR *directory, int *error) {
  unsigned char type;
  return clinux_next_entry(directory, &type, error);
}

const char *clinux_next_entry(DIR *directory, unsigned char *type, int *error) {
  errno = 0;
  struct dirent *entry = readdir(directory);
  *error = entry ? 0 : errno;
  if (!entry) return NULL;
  *type = entry->d_type;
  return entry->d_name;
}

long long clinux_birth(int file) {
  struct statx status;
  if (statx(file, "", AT_EMPTY_PATH, STATX_BTIME, &status) != 0) return -1;
  if (!(status.stx_mask & STATX_BTIME)) return -1;
  return status.stx_btime.tv_sec * 1000000000LL + status.stx_btime.tv_nsec;
}

void clinux_error_text(int code, char *text, size_t size) {
  char space[128];
  const char *words = strerror_r(code, space, sizeof space);  // GNU: may not use `space`
  snprintf(text, size, "%s", words);
}

int clinux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int clinux_spawn_in(void *actions, const char *directory) {
  return posix_spawn_file_actions_addchdir_np(actions, directory);
}

int clinux_memory_file(void) { return memfd_create("calgw", MFD_CLOEXEC); }

void clinux_return_blocks_larger_than(int size) { mallopt(M_MMAP_THRESHOLD, size); }

int clinux_dns_query(const char *name, int type, unsigned char *answer, int size) {
  struct __res_state state;
  memset(&state, 0, sizeof state);
  if (res_ninit(&state) != 0) return -1;
  state.retrans = 3;
  state.retry = 2;
  int length = res_nquery(&state, name, ns_c_in, type, answer, size);
  int why = state.res_h_errno;
  res_nclose(&state);
  if (length < 0) return why == HOST_NOT_FOUND || why == NO_DATA ? 0 : -1;
  return length < size ? length : size;
}

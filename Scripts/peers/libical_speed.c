/* What libical takes for the works of probe/Speed.swift, printed as the probe prints it:
     libical_speed speed FILE FROM TO
     libical_speed parse FILE
   Rules run on the wall, without zones: less than what is asked of calgw. */
#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_RULES = 10000 };

struct work {
  struct icaltimetype start;
  struct icalrecurrencetype rule;
};

static struct work works[MAX_RULES];

static double seconds_since(clock_t begin) { return (double)(clock() - begin) / CLOCKS_PER_SEC; }

static char *read_all(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) exit(64);
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *text = malloc(size + 1);
  if (!text || fread(text, 1, size, file) != (size_t)size) exit(64);
  text[size] = 0;
  fclose(file);
  return text;
}

static long expand(int rules, struct icaltimetype from, struct icaltimetype to) {
  long count = 0;
  for (int index = 0; index < rules; index++) {
    icalrecur_iterator *iterator = icalrecur_iterator_new(works[index].rule, works[index].start);
    if (icaltime_compare(works[index].start, from) < 0)
      icalrecur_iterator_set_start(iterator, from);
    for (;;) {
      struct icaltimetype next = icalrecur_iterator_next(iterator);
      if (icaltime_is_null_time(next) || icaltime_compare(next, to) >= 0) break;
      if (icaltime_compare(next, from) >= 0) count++;
    }
    icalrecur_iterator_free(iterator);
  }
  return count;
}

static int speed(const char *path, long from, long to) {
  int rules = 0;
  char *text = read_all(path);
  for (char *line = strtok(text, "\n"); line && rules < MAX_RULES; line = strtok(NULL, "\n")) {
    char *rule = strchr(line, '\t');
    if (!rule) return 64;
    *rule++ = 0;
    works[rules].start = icaltime_from_string(line);
    works[rules++].rule = icalrecurrencetype_from_string(rule);
  }
  struct icaltimetype first = icaltime_from_timet_with_zone(from, 0, NULL);
  struct icaltimetype last = icaltime_from_timet_with_zone(to, 0, NULL);
  long count = expand(rules, first, last);
  int runs = 0;
  clock_t begin = clock();
  do {
    count = expand(rules, first, last);
    runs++;
  } while (seconds_since(begin) < 0.2);
  printf("%ld %g\n", count, seconds_since(begin) / runs);
  free(text);
  return 0;
}

static int parse(const char *path) {
  char *text = read_all(path);
  clock_t begin = clock();
  icalcomponent *calendar = icalparser_parse_string(text);
  double seconds = seconds_since(begin);
  if (!calendar) return 1;
  printf("%d %g\n", icalcomponent_count_components(calendar, ICAL_ANY_COMPONENT), seconds);
  return 0;
}

int main(int count, char **arguments) {
  if (count == 5 && !strcmp(arguments[1], "speed"))
    return speed(arguments[2], atol(arguments[3]), atol(arguments[4]));
  if (count == 3 && !strcmp(arguments[1], "parse")) return parse(arguments[2]);
  return 64;
}

/* What libical makes of rules: reads "START<tab>RULE<tab>LIMIT" lines, prints for each the first
   occurrences, as seconds from 1970 on the wall, with commas; "!" where it refuses the rule. */
#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  static char line[65536];
  icalerror_set_errors_are_fatal(0);
  while (fgets(line, sizeof line, stdin)) {
    char *start = strtok(line, "\t\n"), *rule = strtok(NULL, "\t\n"), *limit = strtok(NULL, "\t\n");
    if (!start || !rule || !limit) return 1;
    struct icaltimetype from = icaltime_from_string(start);
    icalerror_clear_errno();
    struct icalrecurrencetype recurrence = icalrecurrencetype_from_string(rule);
    icalrecur_iterator *iterator = NULL;
    if (icalerrno == ICAL_NO_ERROR) iterator = icalrecur_iterator_new(recurrence, from);
    if (!iterator) {
      puts("!");
    } else {
      int count = atoi(limit);
      for (int index = 0; index < count; index++) {
        struct icaltimetype next = icalrecur_iterator_next(iterator);
        if (icaltime_is_null_time(next)) break;
        printf("%s%ld", index ? "," : "", (long)icaltime_as_timet(next));
      }
      putchar('\n');
      icalrecur_iterator_free(iterator);
    }
    fflush(stdout);
  }
  return 0;
}

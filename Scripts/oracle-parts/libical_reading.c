/* What libical makes of rules and sets. Reads lines with tabs:
     rule START RULE LIMIT   prints the first occurrences, seconds from 1970 on the wall
     set TEXT END            prints START:END of those before END, seconds from 1970 UTC; the text
                             has U+001F for its line ends
   with commas; "!" where it refuses. */
#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expand_rule(char *start, char *rule, long limit) {
  struct icaltimetype from = icaltime_from_string(start);
  icalerror_clear_errno();
  struct icalrecurrencetype recurrence = icalrecurrencetype_from_string(rule);
  icalrecur_iterator *iterator = NULL;
  if (icalerrno == ICAL_NO_ERROR) iterator = icalrecur_iterator_new(recurrence, from);
  if (!iterator) {
    puts("!");
    return;
  }
  for (long index = 0; index < limit; index++) {
    struct icaltimetype next = icalrecur_iterator_next(iterator);
    if (icaltime_is_null_time(next)) break;
    printf("%s%ld", index ? "," : "", (long)icaltime_as_timet(next));
  }
  putchar('\n');
  icalrecur_iterator_free(iterator);
}

static void print_span(icalcomponent *component, struct icaltime_span *span, void *data) {
  (void)component;
  int *count = data;
  printf("%s%ld:%ld", (*count)++ ? "," : "", (long)span->start, (long)span->end);
}

static void expand_set(char *text, long end) {
  for (char *place = text; *place; place++)
    if (*place == 0x1f) *place = '\n';
  icalcomponent *calendar = icalparser_parse_string(text);
  icalcomponent *event =
      calendar ? icalcomponent_get_first_component(calendar, ICAL_VEVENT_COMPONENT) : NULL;
  if (!event) {
    puts("!");
    return;
  }
  struct icaltimetype first = icaltime_from_string("19000101T000000Z");
  struct icaltimetype last = icaltime_from_timet_with_zone(end, 0, icaltimezone_get_utc_timezone());
  int count = 0;
  icalcomponent_foreach_recurrence(event, first, last, print_span, &count);
  putchar('\n');
  icalcomponent_free(calendar);
}

int main(void) {
  static char line[1 << 20];
  icalerror_set_errors_are_fatal(0);
  while (fgets(line, sizeof line, stdin)) {
    char *verb = strtok(line, "\t\n"), *first = strtok(NULL, "\t\n");
    char *second = strtok(NULL, "\t\n"), *third = strtok(NULL, "\t\n");
    if (!verb || !first || !second) return 1;
    if (third) expand_rule(first, second, atol(third));
    else expand_set(first, atol(second));
    fflush(stdout);
  }
  return 0;
}

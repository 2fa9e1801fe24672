"""Makes a calendar of a Radicale or Xandikos server by writing the server's own files.

    fill_calendar.py radicale|xandikos DATA USER:PASSWORD CALENDAR (--items N | --from FOLDER)
                     [--warm URL]

Ten thousand PUTs take a real server many minutes; its files take a second. The calendar is made
beside the data and moved into place whole, so a running server never sees half of it. With the
URL of the running server the new calendar is listed once: Radicale parses every item before it
answers the first listing, for half a minute at 10,000 items, which no client waits for.
"""

import argparse
import base64
import json
import os
import shutil
import sys
import tempfile
import urllib.request

TITLES = ["Dentist", "Team meeting", "Choir", "Call the landlord", "Tax papers", "Grüße holen"]
PLACES = ["Room 4", "Main Street 12, 2nd floor", "online", "Café Ägypten", "School"]
ZONE = [
    "BEGIN:VTIMEZONE", "TZID:Europe/Vienna",
    "BEGIN:DAYLIGHT", "DTSTART:19810329T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200",
    "TZNAME:CEST", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "END:DAYLIGHT",
    "BEGIN:STANDARD", "DTSTART:19961027T030000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100",
    "TZNAME:CET", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "END:STANDARD",
    "END:VTIMEZONE",
]


def component(kind, uid, number, lines):
    title = f"{TITLES[number % len(TITLES)]} {number}"
    return [f"BEGIN:{kind}", f"UID:{uid}", "DTSTAMP:20260101T120000Z", *lines,
            f"SUMMARY:{title}", f"END:{kind}"]


def generated_item(number):
    """One object; every kind of object that a household's calendar holds comes up."""
    uid = f"generated-{number:06d}@example.org"
    day = f"2026{1 + number % 12:02d}{1 + number % 28:02d}"
    hour = 8 + number % 10
    timed = [f"DTSTART:{day}T{hour:02d}0000Z", "DURATION:PT45M",
             f"LOCATION:{PLACES[number % len(PLACES)]}".replace(", ", "\\, ")]
    zone = []
    if number % 20 == 7:
        body = component("VTODO", uid, number, [f"DUE;VALUE=DATE:{day}", "STATUS:NEEDS-ACTION"])
    elif number % 9 == 4:
        body = component("VEVENT", uid, number, [f"DTSTART;VALUE=DATE:{day}", "RRULE:FREQ=YEARLY"])
    elif number % 10 == 3:
        zone = ZONE
        weekly = component("VEVENT", uid, number, [
            f"DTSTART;TZID=Europe/Vienna:{day}T{hour:02d}0000", "DURATION:PT45M",
            "RRULE:FREQ=WEEKLY;COUNT=20"])
        moved = component("VEVENT", uid, number, [
            f"RECURRENCE-ID;TZID=Europe/Vienna:{day}T{hour:02d}0000",
            f"DTSTART;TZID=Europe/Vienna:{day}T{hour + 1:02d}3000", "DURATION:PT45M"])
        body = weekly + moved
    else:
        text = "Bring the papers of last year\\, and the list from the kitchen table.\\n" * 2
        folded = [text[at:at + 60] for at in range(0, len(text), 60)]
        body = component("VEVENT", uid, number, [*timed, "DESCRIPTION:" + "\r\n ".join(folded)])
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//calgw//generated items//EN",
             *zone, *body, "END:VCALENDAR", ""]
    return f"generated-{number:06d}.ics", "\r\n".join(lines).encode()


def items_of(arguments):
    if arguments.items is not None:
        for number in range(arguments.items):
            yield generated_item(number)
        return
    for name in sorted(os.listdir(arguments.source)):
        if name.endswith(".ics"):
            with open(os.path.join(arguments.source, name), "rb") as file:
                yield name, file.read()


def make_radicale_calendar(folder, name, items):
    os.mkdir(folder)
    with open(os.path.join(folder, ".Radicale.props"), "w", encoding="utf-8") as file:
        json.dump({"tag": "VCALENDAR", "D:displayname": name,
                   "C:supported-calendar-component-set": "VEVENT,VTODO,VJOURNAL"}, file)
    for item, content in items:
        with open(os.path.join(folder, item), "wb") as file:
            file.write(content)


def make_xandikos_calendar(folder, name, items):
    from dulwich.index import index_entry_from_stat
    from dulwich.objects import Blob
    from xandikos.store import STORE_TYPE_CALENDAR
    from xandikos.store.git import TreeGitStore, locked_index

    store = TreeGitStore.create(folder)
    store.set_type(STORE_TYPE_CALENDAR)
    store.set_displayname(name)
    blobs = []
    with locked_index(store.repo.index_path()) as index:
        for item, content in items:
            path = os.path.join(folder, item)
            with open(path, "wb") as file:
                file.write(content)
            blob = Blob.from_string(content)
            blobs.append((blob, None))
            index[item.encode()] = index_entry_from_stat(os.lstat(path), blob.id)
        store.repo.object_store.add_objects(blobs)
        store._commit_tree(index, b"Fill the calendar")


def list_once(url, user, password):
    """A whole listing, with no limit on the time to the first byte."""
    login = base64.b64encode(f"{user}:{password}".encode()).decode()
    request = urllib.request.Request(url, method="PROPFIND", headers={
        "Depth": "1", "Authorization": f"Basic {login}", "Content-Type": "application/xml"},
        data=b'<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>')
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request) as answer:
        while answer.read(1 << 16):
            pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=["radicale", "xandikos"])
    parser.add_argument("data")
    parser.add_argument("login")
    parser.add_argument("calendar")
    parser.add_argument("--warm", metavar="URL")
    content = parser.add_mutually_exclusive_group(required=True)
    content.add_argument("--items", type=int)
    content.add_argument("--from", dest="source")
    arguments = parser.parse_args()
    user, _, password = arguments.login.partition(":")

    if arguments.kind == "radicale":
        home, make = f"{arguments.data}/collection-root/{user}", make_radicale_calendar
        path = f"{user}/{arguments.calendar}/"
    else:
        home, make = f"{arguments.data}/{user}/calendars", make_xandikos_calendar
        path = f"{user}/calendars/{arguments.calendar}/"
    place = os.path.join(home, arguments.calendar)
    if os.path.exists(place):
        sys.exit(f"error: the server has a calendar '{arguments.calendar}' already"
                 " (`Scripts/servers reset` empties it)")
    os.makedirs(home, exist_ok=True)
    beside = tempfile.mkdtemp(prefix="filling-", dir=os.path.dirname(arguments.data))
    try:
        made = os.path.join(beside, arguments.calendar)
        make(made, arguments.calendar, items_of(arguments))
        os.rename(made, place)
    finally:
        shutil.rmtree(beside)
    if arguments.warm:
        list_once(arguments.warm + path, user, password)


if __name__ == "__main__":
    main()

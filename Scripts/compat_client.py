"""A second CalDAV client for Scripts/compat, and how it compares calendar texts.

It shares nothing with calgw: what both say of a server counts for more.
"""

import collections
import re
import urllib.error
import urllib.parse
import urllib.request
import xml.etree.ElementTree

DAV = "{DAV:}"


class OtherClient:
    def __init__(self, url, user, password):
        self.url = url
        passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
        passwords.add_password(None, url, user, password)
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPBasicAuthHandler(passwords),
            urllib.request.HTTPDigestAuthHandler(passwords))

    def send(self, method, path, body=None, **headers):
        """Gives status, headers and octets; does not throw for a status."""
        request = urllib.request.Request(
            urllib.parse.urljoin(self.url, path), method=method, data=body,
            headers={name.replace("_", "-"): value for name, value in headers.items()})
        try:
            with self.opener.open(request, timeout=120) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    def members(self, collection):
        """The hrefs of a calendar's objects."""
        status, _, octets = self.send(
            "PROPFIND", collection,
            b'<propfind xmlns="DAV:"><prop><getetag/><resourcetype/></prop></propfind>',
            Depth="1", Content_Type="application/xml; charset=utf-8")
        if status != 207:
            raise SystemExit(f"error: PROPFIND of {collection} answers {status}")
        found = []
        for response in xml.etree.ElementTree.fromstring(octets).iter(DAV + "response"):
            href = response.findtext(DAV + "href")
            if response.find(f".//{DAV}resourcetype/{DAV}collection") is None:
                found.append(urllib.parse.urlsplit(href).path)
        own = urllib.parse.unquote(urllib.parse.urlsplit(urllib.parse.urljoin(
            self.url, collection)).path).rstrip("/")
        return sorted(h for h in found if urllib.parse.unquote(h).rstrip("/") != own)

    def objects(self, collection):
        """All objects of a calendar: UID → (href, entity tag, octets)."""
        result = {}
        for href in self.members(collection):
            status, headers, octets = self.send("GET", href)
            if status == 200:
                result[uid(octets)] = (href, headers.get("ETag"), octets)
        return result


# MARK: texts


def lines(octets):
    """The content lines of RFC 5545 §3.1, unfolded."""
    joined = re.sub(rb"\r?\n[ \t]", b"", octets)
    return [line for line in re.split(rb"\r?\n", joined) if line]


def uid(octets):
    for line in lines(octets):
        if line.upper().startswith(b"UID"):
            return line.split(b":", 1)[1].decode("utf-8", "replace")
    return ""


# Every program may set these as it likes, or they say nothing of the person's entry.
NOISE = {"DTSTAMP", "PRODID", "VERSION", "CALSCALE", "CREATED", "LAST-MODIFIED", "SEQUENCE",
         "METHOD", "BEGIN", "END"}
DEFAULTS = {("VALUE", "DATE-TIME"), ("VALUE", "TEXT"), ("VALUE", "URI")}
LISTS = {"CATEGORIES", "RESOURCES", "EXDATE", "RDATE"}


def meaning(octets):
    """What is in a text, whatever its order and its spelling: a count of each property.

    A property stands with the components that it is in; an override, with its RECURRENCE-ID.
    """
    found, path = collections.Counter(), []
    content = [split(line) for line in lines(octets)]
    for index, (name, parameters, value) in enumerate(content):
        if name == "BEGIN":
            path.append(value.upper() + occurrence(content[index:]))
            found[("/".join(path), "component", "", "")] += 1
        elif name == "END" and path:
            path.pop()
        elif name in NOISE or "VTIMEZONE" in path:
            continue
        else:
            parts = re.findall(r"(?:[^,\\]|\\.)+", value) if name in LISTS else [value]
            for part in parts:
                found[("/".join(path), name, parameters, plain(name, part))] += 1
    return found


def occurrence(content):
    """What tells an override from its series; empty for other components."""
    depth = 0
    for name, _, value in content:
        depth += (name == "BEGIN") - (name == "END")
        if depth == 0:
            return ""
        if depth == 1 and name == "RECURRENCE-ID":
            return "@" + value
    return ""


def split(line):
    """Name in upper case, parameters sorted in one spelling, and value."""
    text = line.decode("utf-8", "replace")
    head = re.match(r'(?:[^":]|"[^"]*")*', text).group()
    value = text[len(head) + 1:]
    name, *parameters = re.findall(r'(?:[^";]|"[^"]*")+', head) or [""]
    spelt = []
    for parameter in parameters:
        key, _, values = parameter.partition("=")
        # The default of the property, written out.
        if (key.upper(), values.upper()) in DEFAULTS:
            continue
        spelt.append(f"{key.upper()}={values.replace(chr(34), '')}")
    return name.upper(), ";".join(sorted(spelt)), value


def plain(name, value):
    if name in {"RRULE", "EXRULE"}:
        return ";".join(sorted(value.upper().split(";")))
    if name in {"GEO"}:
        return ";".join(str(float(n)) if re.fullmatch(r"[-+.0-9]+", n) else n
                        for n in value.split(";"))
    return re.sub(r"\\(.)", lambda m: "\n" if m.group(1) in "nN" else m.group(1), value)

/// How people read what a terminal would obey or hide: `\u{202E}`.
package func visibleEscape(_ scalar: Unicode.Scalar) -> String {
  "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
}

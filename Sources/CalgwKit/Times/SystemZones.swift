import Glibc
public import Recurrence

extension ZoneCatalog {
  /// The zones of this machine's tzdata, each read when it is first asked for.
  public static let system = ZoneCatalog { name in
    // The catalog asks for safe names alone; 256 KiB is more than any zone has.
    try? SmallFile(reading: SystemZones.folder + name, limit: 1 << 18).bytes
  }
}

/// What this machine says about time zones.
public enum SystemZones {
  static let folder = "/usr/share/zoneinfo/"

  /// The zone of the person who runs the program: what the variable TZ says, else
  /// `/etc/localtime`, else UTC.
  public static func local(_ environment: ProcessEnvironment) -> Zone {
    if let variable = environment.variables["TZ"] { return zone(variable: variable) }
    let file = "/etc/localtime"
    let path = realPath(of: file)
    if let name = name(ofPath: path), let zone = ZoneCatalog.system.zone(named: name) {
      return zone
    }
    return zone(file: file) ?? .utc
  }

  /// The zone that a value of TZ means, as glibc reads it: a name, with or without a colon before
  /// it, the path of a TZif file, or a rule of POSIX. What is none of them, and an empty value, is
  /// UTC.
  static func zone(variable: String) -> Zone {
    let text = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
    if text.hasPrefix("/") {
      return name(ofPath: text).flatMap(ZoneCatalog.system.zone(named:)) ?? zone(file: text)
        ?? .utc
    }
    return ZoneCatalog.system.zone(named: text) ?? Zone(posix: text) ?? .utc
  }

  /// `Europe/Vienna` of `/usr/share/zoneinfo/Europe/Vienna`; nil for another folder's file.
  private static func name(ofPath path: String) -> String? {
    path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : nil
  }

  private static func zone(file: String) -> Zone? {
    guard let bytes = try? SmallFile(reading: file, limit: 1 << 18).bytes else { return nil }
    return try? TZif.zone(name: "local", bytes: bytes)
  }
}

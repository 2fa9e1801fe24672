import Foundation
public import Recurrence

extension ZoneCatalog {
  /// The zones of this machine.
  public static let machine = ZoneCatalog { name in
    FileManager.default.contents(atPath: "/usr/share/zoneinfo/" + name).map(Array.init)
  }
}

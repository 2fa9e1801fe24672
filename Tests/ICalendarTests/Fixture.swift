import Foundation
import Testing

/// A file of `Fixtures/icalendar`, found from this source file and not from the working directory.
struct Fixture: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]

  var testDescription: String { name }

  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/icalendar")

  static let all: [Fixture] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".ics") }.sorted().compactMap { name in
      guard let data = try? Data(contentsOf: folder.appendingPathComponent(name)) else {
        return nil
      }
      return Fixture(name: String(name.dropLast(4)), bytes: [UInt8](data))
    }
  }()

  static func named(_ name: String) -> [UInt8] { all.first { $0.name == name }?.bytes ?? [] }
}

func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

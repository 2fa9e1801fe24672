import Foundation
import Glibc
import TestSupport
import Testing

/// A machine with one account and one pair, and what `doctor` says of them.
struct DoctorRuns {
  /// One finding of `--json`.
  struct Line {
    var account: String?
    var step: String
    var result: String
    var status: Int
    var message: String
    var place: String
    var hint: String
  }

  typealias Findings = (status: Int32, lines: [Line])

  let calgw: CommandLine

  init() throws { calgw = try CommandLine() }

  /// - Parameters:
  ///   - keys: of the account.
  ///   - folder: the local side of its pair.
  ///   - pairKeys: of its pair.
  func configure(
    _ url: String, _ keys: String = "", folder: String = "~/calendars", pairKeys: String = ""
  ) throws {
    try calgw.write("secret", "secret\n")
    try calgw.configure(
      """
      [account.home]
      url = "\(url)"
      username = "alice"
      password = { file = "~/secret" }
      timeout = "2m"
      \(keys)

      [pair.p]
      local = "\(folder)"
      remote = "home"
      \(pairKeys)
      """)
    for name in ["secret", "config/calgw/config.toml"] { chmod("\(calgw.home)/\(name)", 0o600) }
  }

  func findings(
    _ arguments: String..., environment: [String: String] = [:]
  ) async throws -> Findings {
    let process = try calgw.start(["doctor", "--json"] + arguments, environment: environment)
    let run = await onOwnThread { process.finish() }
    return try findings(of: run)
  }

  /// What a run with `--json` printed.
  func findings(of run: CommandLine.Run) throws -> Findings {
    let lines = try run.output.split(separator: "\n").map { text in
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      return Line(
        account: object["account"] as? String, step: try #require(object["step"] as? String),
        result: try #require(object["result"] as? String),
        status: try #require(object["status"] as? Int),
        message: try #require(object["message"] as? String),
        place: try #require(object["place"] as? String),
        hint: try #require(object["hint"] as? String))
    }
    #expect(!run.output.contains("canary"))
    #expect(run.errors.isEmpty, "\(run.errors)")
    return (run.status, lines)
  }

  /// The step that failed, after which the others are skipped.
  func expectFailure(
    _ found: Findings, _ step: String, _ status: Int32, says words: String, mend: String,
    skips skipped: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(found.status == status, sourceLocation: sourceLocation)
    let failed = found.lines.filter { $0.result == "failed" }
    #expect(failed.map(\.step) == [step], sourceLocation: sourceLocation)
    #expect(failed.first?.status == Int(status), sourceLocation: sourceLocation)
    let message = failed.first?.message ?? ""
    #expect(message.contains(words), "\(message)", sourceLocation: sourceLocation)
    let hint = failed.first?.hint ?? ""
    #expect(hint.contains(mend), "\(hint)", sourceLocation: sourceLocation)
    let others = found.lines.filter { $0.result == "skipped" }.map(\.step)
    #expect(others == skipped, sourceLocation: sourceLocation)
  }
}

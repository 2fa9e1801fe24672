import ArgumentParser
import CalgwKit

/// `calgw discover`
struct Discover: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "List the calendars of an account, or of all.")

  @Argument(help: ArgumentHelp("The account; nothing: all of them.", valueName: "account"))
  var account: String?

  @OptionGroup(title: "Common options") var common: CommonOptions

  func execute(_ session: Session) async throws(RunFailure) -> ExitStatus {
    let gateway = try session.gateway()
    var statuses: [ExitStatus] = []
    for name in try gateway.accounts(account) {
      if let failure = gateway.leavingOut("account \(name)") {
        session.console.report(failure)
        statuses.append(failure.status)
        break
      }
      do throws(RunFailure) {
        let found = try await gateway.discover(
          name, asking: .live, notice: session.notices)
        if let notice = found.noticeOfGuess { session.notices(notice) }
        let calendars = found.calendars
        for calendar in calendars { session.console.show(calendar) }
        if calendars.isEmpty, !session.console.isJSON {
          session.console.note("account \(name) has no calendar")
        }
        for failure in found.shortfalls {
          session.console.report(failure)
          statuses.append(failure.status)
        }
      } catch {
        session.console.report(error)
        statuses.append(error.status)
      }
    }
    return .combined(statuses)
  }
}

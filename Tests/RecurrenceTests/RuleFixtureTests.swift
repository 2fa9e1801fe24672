import Recurrence
import Testing

@Suite struct RuleFixtureTests {
  @Test(arguments: try RuleFixture.all(in: "rfc5545-3.8.5.3.rrule"))
  func `the RFC's examples give the dates that it prints`(fixture: RuleFixture) {
    check(fixture)
  }

  @Test(arguments: try RuleFixture.all(in: "decisions.rrule"))
  func `decided cases are as they are decided`(fixture: RuleFixture) {
    check(fixture)
  }

  /// Written by `Scripts/oracle`.
  @Test(arguments: try RuleFixture.all(in: "random.rrule"))
  func `random rules give the dates that another reading confirmed`(fixture: RuleFixture) {
    check(fixture)
  }

  /// Written by `Scripts/oracle`; the dates are those of its literal reading.
  @Test(arguments: try RuleFixture.all(in: "random-sets.rrule"))
  func `random sets give the dates that another reading confirmed`(fixture: RuleFixture) {
    check(fixture)
  }

  private func check(_ fixture: RuleFixture) {
    let actual = fixture.actual()
    if fixture.goesOn {
      #expect(Array(actual.prefix(fixture.expected.count)) == fixture.expected)
      #expect(actual.count > fixture.expected.count)
    } else {
      #expect(actual == fixture.expected)
    }
    #expect(!fixture.expected.isEmpty)
  }
}

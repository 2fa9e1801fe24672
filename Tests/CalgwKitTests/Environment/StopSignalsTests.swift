import CalgwKit
import Testing

@Suite struct StopSignalsTests {
  @Test(arguments: [StopReason.interrupted, .hungUp, .terminated])
  func `nobody is asked once the process was told to stop`(reason: StopReason) {
    var wasAsked = false
    let answer = StopSignals(told: reason).asking { () -> String? in
      wasAsked = true
      return "yes"
    }
    #expect(answer == nil)
    #expect(!wasAsked)
  }
}

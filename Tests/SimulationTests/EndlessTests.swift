import TestSupport
import Testing

/// What never ends is given up and told, and does not hang a test run.
@Suite struct EndlessTests {
  @Test func `a program that goes on without end is left after so many steps`() throws {
    let executor = StepExecutor(seed: 1)
    #expect(throws: StepExecutor.Endless.self) {
      let limits = StepExecutor.Limits(steps: 1_000, milliseconds: 1_000)
      _ = try executor.run(within: limits) { () async -> Int in
        while true { await executor.pause(0) }
      }
    }
    #expect(executor.steps == 1_000)
    // It does not go on beside the next one.
    let answer = try executor.run {
      await executor.pause(1)
      return 7
    }
    #expect(answer == 7)
    #expect(executor.steps < 1_100)
  }

  @Test func `so is one that waits for longer than it may`() throws {
    let executor = StepExecutor(seed: 1)
    let (start, hour) = (executor.clock, Int64(3_600_000))
    #expect(throws: StepExecutor.Endless.self) {
      let limits = StepExecutor.Limits(steps: 1_000_000, milliseconds: 48 * hour)
      _ = try executor.run(within: limits) { () async -> Int in
        while true { await executor.pause(hour) }
      }
    }
    #expect(executor.clock == start + 49 * hour)
    #expect(try executor.run { 7 } == 7)
  }

  @Test func `what takes no more than it may comes to its end`() throws {
    let executor = StepExecutor(seed: 1)
    let limits = StepExecutor.Limits(steps: 1_000, milliseconds: 1_000)
    // Of each program, and not of all.
    for _ in 0..<20 {
      let answer = try executor.run(within: limits) {
        for _ in 0..<10 { await executor.pause(100) }
        return 7
      }
      #expect(answer == 7)
    }
  }
}

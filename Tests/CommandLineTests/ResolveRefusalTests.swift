import Foundation
import TestSupport
import Testing

/// What `resolve` says where nothing can be settled, and `diff` where an item is gone.
@Suite struct ResolveRefusalTests {
  private func synced(_ keys: String = "") async throws -> TwoFolders {
    let folders = try TwoFolders(keys)
    for side in ["one", "two"] {
      for uid in ["dentist", "gym"] { try folders.write(side, uid, at: 10, uid) }
    }
    #expect(try await folders.calgw("sync").status == 0)
    return folders
  }

  private func remove(_ name: String, in folders: TwoFolders) throws {
    try FileManager.default.removeItem(atPath: "\(folders.calgw.home)/\(name)")
  }

  @Test(arguments: ["merged", "both"])
  func `what waits for a yes is no conflict, and says what it waits for`(choice: String)
    async throws
  {
    let folders = try await synced("confirm_delete = \"always\"")
    try remove("one/work/gym.ics", in: folders)
    let run = try await folders.calgw("resolve", "gym", "--take", choice)
    #expect(run.status == 1)
    #expect(run.errors.contains("gym is in no conflict, and waits"), "\(run.errors)")
    #expect(run.errors.contains("problem: \"gym\" (gym.ics)\n"), "\(run.errors)")
    #expect(run.errors.contains("nobody said yet that it goes"), "\(run.errors)")
    #expect(run.errors.contains("`calgw resolve --take remote gym` brings it back"))
    #expect(try folders.items("two") == ["dentist 10", "gym 10"])
  }

  /// By the policy the deletion here holds against the edit there, once somebody says yes.
  @Test func `what was edited and is deleted by a yes does not stay`() async throws {
    let folders = try await synced("conflict = \"local\"\nconfirm_delete = \"always\"")
    try remove("one/work/gym.ics", in: folders)
    try folders.write("two", "gym", at: 11, "Gym")
    let held = try await folders.calgw("sync")
    #expect(held.status == 1 && held.errors.contains("`calgw resolve --take local gym` deletes"))
    let run = try await folders.calgw("resolve", "gym", "--take", "local")
    #expect(run.status == 0 && !run.errors.contains("stays"), "\(run.errors)")
    #expect(try folders.items("two") == ["dentist 10"])
  }

  /// `resolve` goes by the pair's own policy, and by that the edit survives.
  @Test func `what only this run's policy deletes is not offered to resolve`() async throws {
    let folders = try await synced("confirm_delete = \"always\"")
    try remove("one/work/gym.ics", in: folders)
    try folders.write("two", "gym", at: 11, "Gym")
    let held = try await folders.calgw("sync", "--conflict", "local")
    #expect(held.status == 1 && !held.errors.contains("--take local"), "\(held.errors)")
    #expect(held.errors.contains("run the sync with --conflict local"), "\(held.errors)")
    #expect(held.errors.contains("`calgw resolve --take remote gym` brings it back"))
    let run = try await folders.calgw("sync", "--conflict", "local", "--allow-mass-delete")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folders.items("two") == ["dentist 10"])
  }

  @Test(arguments: [true, false])
  func `what the pair leaves out is neither settled nor brought back`(isFile: Bool) async throws {
    let folders = try await synced()
    let name = isFile ? "\(folders.calgw.home)/one/work/gym.ics" : "gym"
    try folders.write("two", "gym", at: 11, "Gym")
    #expect(try await folders.calgw("sync").status == 0)
    try folders.configure("components = [\"VTODO\"]")
    let run = try await folders.calgw("resolve", name, "--take", "local")
    #expect(run.status == 1 && run.errors.contains("leaves out VEVENT"), "\(run.errors)")
    let restored = try await folders.calgw("restore", "p/1")
    #expect(restored.status == 1 && restored.errors.contains("leaves out VEVENT"))
    for side in ["one", "two"] {
      #expect(try folders.items(side) == ["Gym 11", "dentist 10"], "\(side)")
    }
  }

  @Test(arguments: ["td", "one/work/todo.ics"])
  func `what the pair leaves out and never synced waits for that`(name: String) async throws {
    let folders = try await synced("components = [\"VEVENT\"]")
    let todo = event("td", "Milk").replacing("VEVENT", with: "VTODO")
    try folders.calgw.write("one/work/todo.ics", todo)
    #expect(try await folders.calgw("sync").status == 0)
    let run = try await folders.calgw("resolve", name, "--take", "local")
    #expect(run.status == 1 && run.errors.contains("leaves out VTODO"), "\(run.errors)")
    let told = try await folders.calgw("resolve", name, "--take", "local", "--json")
    #expect(told.status == 1 && told.output.contains("\"unsupported\""), "\(told.output)")
  }

  @Test func `JSON of what is in no conflict is that of a run that did nothing`() async throws {
    let folders = try await synced("confirm_delete = \"always\"")
    let before = try folders.items("two")
    let settled = try await told(of: "dentist", in: folders)
    #expect(settled.status == 0 && settled.problems.isEmpty)
    try remove("one/work/gym.ics", in: folders)
    let waiting = try await told(of: "gym", in: folders)
    #expect(waiting.status == 1)
    #expect(waiting.problems.map { $0["code"] as? String } == ["mass-delete"])
    #expect(waiting.problems.map { $0["uid"] as? String } == ["gym"])
    try folders.configure("components = [\"VTODO\"]")
    let leftOut = try await told(of: "dentist", in: folders)
    #expect(leftOut.status == 1)
    #expect(leftOut.problems.map { $0["code"] as? String } == ["unsupported"])
    let file = "\(folders.calgw.home)/one/work/dentist.ics"
    #expect(leftOut.problems.map { $0["file"] as? String } == [file])
    let unknown = try await folders.calgw("resolve", "nobody", "--take", "both", "--json")
    #expect(unknown.status == 66 && unknown.output.isEmpty, "\(unknown.output)")
    #expect(try folders.items("two") == before)
  }

  /// What JSON says of an item of the pair's one collection, where nothing is to be done about it.
  private func told(
    of uid: String, in folders: TwoFolders
  ) async throws -> (status: Int32, problems: [[String: Any]]) {
    let run = try await folders.calgw("resolve", uid, "--take", "both", "--dry-run", "--json")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any],
      "\(run.output)")
    #expect(object["pair"] as? String == "p" && object["dryRun"] as? Bool == true)
    #expect(object["status"] as? Int == Int(run.status), "\(run.output)")
    let collections = try #require(object["collections"] as? [[String: Any]])
    #expect(collections.map { $0["name"] as? String } == ["work"])
    let problems = try #require(collections.first?["problems"] as? [[String: Any]])
    return (run.status, problems)
  }

  @Test func `diff says what a sync would bring back of what is gone here`() async throws {
    let folders = try await synced()
    try remove("one/work/gym.ics", in: folders)
    try folders.write("two", "gym", at: 11, "Gym")
    #expect(try await folders.calgw("push").status == 0)
    let run = try await folders.calgw("diff")
    #expect(run.output.contains("start 10:00 UTC → 11:00 UTC"), "\(run.output)")
    #expect(!run.output.contains("nothing that counts"), "\(run.output)")
  }

  @Test func `what is new beside a read-only side says how it ends`() async throws {
    let folders = try await synced("read_only = true")
    try folders.write("one", "new", at: 10, "New")
    let run = try await folders.calgw("resolve", "new", "--take", "remote")
    #expect(run.status == 1)
    let file = "\(folders.calgw.home)/one/work/new.ics"
    #expect(run.errors.contains("`calgw delete \(file) --span all`"), "\(run.errors)")
  }

  @Test func `what is in the way of the version that is taken is told once`() async throws {
    let folders = try await synced()
    try remove("one/work/gym.ics", in: folders)
    try FileManager.default.createSymbolicLink(
      atPath: "\(folders.calgw.home)/one/work/gym.ics", withDestinationPath: "dentist.ics")
    let run = try await folders.calgw("resolve", "gym", "--take", "remote")
    #expect(run.status == 1)
    #expect(run.output.contains("; 1 problem\n"), "\(run.output)")
    let problems = run.errors.split(separator: "\n").filter { $0.hasPrefix("problem:") }
    #expect(problems.count == 1 && run.errors.contains("[not-a-file]"), "\(run.errors)")
  }

  @Test func `a refusal names the file and the title`() async throws {
    let folders = try await synced("direction = \"pull\"")
    try folders.write("one", "gym", at: 11, "Sports")
    let run = try await folders.calgw("resolve", "gym", "--take", "local")
    #expect(run.status == 1)
    #expect(run.errors.contains("problem: \"Sports\" (gym.ics)\n"), "\(run.errors)")
    #expect(run.errors.contains("this pair only pulls"), "\(run.errors)")
  }

  @Test(arguments: ["push", "pull"])
  func `what one direction cannot settle is left to a sync`(direction: String) async throws {
    let folders = try await synced()
    try folders.write("one", "gym", at: 10, "Sports")
    try folders.write("two", "gym", at: 11, "gym")
    let run = try await folders.calgw(direction)
    #expect(run.status == 1)
    #expect(
      run.errors.contains("both sides changed it, and a \(direction) settles nothing"),
      "\(run.errors)")
    #expect(run.errors.contains("run `calgw sync`, which goes by the pair's policy"))
    #expect(try await folders.calgw("sync").status == 0)
    #expect(try folders.items("two") == ["Sports 11", "dentist 10"])
  }

  @Test func `an edit that outlives the deletion that was chosen is no silent success`()
    async throws
  {
    let folders = try await synced("direction = \"pull\"")
    try folders.write("one", "gym", at: 11, "Sports")
    try remove("two/work/gym.ics", in: folders)
    let run = try await folders.calgw("resolve", "gym", "--take", "remote")
    #expect(run.status == 0)
    #expect(run.errors.contains("\"Sports\" (gym.ics) stays"), "\(run.errors)")
    #expect(try await pasteDeletion(of: run, in: folders) == 0)
    #expect(try await folders.calgw("status", "--exit-code").status == 0)
  }

  @Test func `so does one whose UID is in another calendar, too, beside a file that is broken`()
    async throws
  {
    let folders = try await synced()
    for side in ["one", "two"] {
      try folders.calgw.write("\(side)/home/gym.ics", event("gym", "Elsewhere"))
    }
    #expect(try await folders.calgw("sync").status == 0)
    try folders.calgw.configure(
      "[pair.p]\nlocal = \"~/one\"\nremote = { local = \"~/two\" }\ndirection = \"pull\"\n")
    try folders.write("one", "gym", at: 11, "Sports")
    try folders.calgw.write("one/work/dentist.ics", "BEGIN:VCALENDAR\r\n")
    try remove("two/work/gym.ics", in: folders)
    let run = try await folders.calgw("resolve", "gym", "--take", "remote")
    #expect(run.status == 0 && !run.errors.contains("problem:"), "\(run.errors)")
    #expect(run.errors.contains("\"Sports\" (gym.ics) stays"), "\(run.errors)")
    #expect(try await pasteDeletion(of: run, in: folders) == 0)
    #expect(!folders.calgw.exists("one/work/gym.ics"))
    #expect(folders.calgw.exists("one/home/gym.ics"))
  }

  /// Runs the command that `resolve` printed, and gives its status.
  private func pasteDeletion(of run: CommandLine.Run, in folders: TwoFolders) async throws -> Int32
  {
    let command = try #require(
      run.errors.split(separator: "`").first { $0.hasPrefix("calgw delete ") }, "\(run.errors)")
    let words = command.split(separator: " ").dropFirst().map { String($0) }
    #expect(words == ["delete", "\(folders.calgw.home)/one/work/gym.ics", "--span", "all"])
    return try await folders.calgw.run(words).status
  }

  /// Each the sides that change an item, and how it stands then.
  @Test(arguments: [(["one"], "not in step"), (["one", "two"], "in conflict")])
  func `of a UID in two calendars the files are named`(sides: [String], state: String)
    async throws
  {
    let folders = try await synced()
    func write(_ side: String, _ place: String, _ title: String) throws {
      try folders.calgw.write("\(side)/\(place)/gym.ics", event("gym", title))
    }
    for side in ["one", "two"] { try write(side, "home", "gym") }
    #expect(try await folders.calgw("sync").status == 0)
    for side in sides {
      for place in ["home", "work"] { try write(side, place, "Sports \(side)") }
    }
    let run = try await folders.calgw("resolve", "gym", "--take", "remote")
    #expect(run.status == 64)
    let files = ["home", "work"].map { "\(folders.calgw.home)/one/\($0)/gym.ics" }
    #expect(run.errors.contains("gym is \(state) in 2 collections"), "\(run.errors)")
    #expect(run.errors.contains("you mean: \(files[0]), \(files[1])"), "\(run.errors)")
    let one = try await folders.calgw("resolve", files[0], "--take", "remote")
    #expect(one.status == 0, "\(one.errors)")
    #expect(try folders.items("one") == ["Sports one 10", "dentist 10"])
  }

  /// Each the side that edited the item, and the one that deleted it.
  @Test(arguments: [("one", "two", "local", "remote"), ("two", "one", "remote", "local")])
  func `diff says that one side deleted what the other one edited`(
    edited: String, gone: String, side: String, other: String
  ) async throws {
    let folders = try await synced()
    try folders.write(edited, "gym", at: 11, "gym")
    try remove("\(gone)/work/gym.ics", in: folders)
    let run = try await folders.calgw("diff", "--remote", "gym", "--exit-code")
    #expect(run.status == 1)
    #expect(
      run.output.contains(
        "    deleted on the \(other) side; the \(side) side has it, changed since the last sync:\n"
          + "    start 10:00 UTC → 11:00 UTC on Monday 5 January 2026\n"), "\(run.output)")
    #expect(!run.output.contains("nothing that counts"), "\(run.output)")
  }

  @Test func `diff says that the other side has what was deleted, as it was`() async throws {
    let folders = try await synced()
    try remove("one/work/gym.ics", in: folders)
    let run = try await folders.calgw("diff", "--remote", "gym")
    #expect(
      run.output.contains(
        "deleted on the local side; the remote side has it, as it was at the last sync\n"),
      "\(run.output)")
  }
}

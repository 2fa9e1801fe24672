import CalgwKit
import SyncExecution
import SyncModel
import SyncPlanning
import Testing

/// What a mend names is there to be done in the pair.
@Suite struct SuitProblemTests {
  @Test func `where the local side is a server, a mend names no command for a file`() {
    let pair = PairConfiguration(name: "p", local: .account("here"), remote: .account("there"))
    let digest = ContentDigest(bytes: [UInt8](repeating: 1, count: 32))
    let source = ItemVersion(
      href: Href("/a.ics"), uid: ItemID("a"), version: Version(tag: nil, digest: digest),
      canonical: digest, summary: "", lastModified: nil, modified: nil, components: ["VEVENT"])
    let creation = Action.create(on: .remote, source: source, reason: "it is new")
    var new = isReadOnly(.remote, against: creation)
    let item = ReportedItem(uid: ItemID("a"), file: nil, href: Href("/a.ics"), summary: "")
    new.suit(pair, item, in: "work")
    #expect(
      new.hint
        == "Delete it on the local side or move it to another calendar, or make the remote side"
        + " writable; or, if the account may write there, set read_only = false.")
    var edited = isReadOnly(.remote)
    edited.suit(pair, item, in: "work")
    #expect(edited.hint.hasPrefix("Undo the change (`calgw resolve UID --take remote`)"))
    var refused = ItemProblem(
      .refused, "the server answered 403",
      hint: "correct the item, or leave it here; `calgw check` says what is odd in its file")
    refused.suit(pair, item, in: "work")
    #expect(refused.hint == "correct the item, or leave it on the local side")
  }

  @Test(arguments: [
    ("p", "run `calgw forget --local cal p/work` and sync"),
    ("adhoc-f6d8c906", "run `calgw forget --local cal` and sync"),
  ])
  func `the command that forgets says which pair once`(name: String, shown: String) {
    let pair = PairConfiguration(name: name, local: .directory("/c"), remote: .account("there"))
    var problem = ItemProblem(.massDelete, "many", hint: "run \(PlanRefusal.forget) and sync")
    let item = ReportedItem(uid: nil, file: nil, href: nil, summary: "")
    problem.suit(pair, item, in: "work")
    #expect(pasteableMend(problem.hint, options: ["--local", "cal"], names: MendNames()) == shown)
  }

  @Test(arguments: [Side.local, .remote], [nil, "a"])
  func `of several items in one resource of a server no file is to be moved`(
    side: Side, uid: String?
  ) {
    let pair = PairConfiguration(name: "p", local: .account("here"), remote: .account("there"))
    let files = PairConfiguration(name: "p", local: .directory("/c"), remote: .directory("/d"))
    let place = Href("/a.ics")
    let item = ReportedItem(
      uid: uid.map { ItemID($0) }, file: side == .local ? place : nil,
      href: side == .remote ? place : nil, summary: "")
    let split = ItemProblem.splitFile
    let found = ItemProblem(
      .severalUIDs, "'/a.ics' holds 2 items with different UIDs",
      hint: "Keep one item a file: \(split). With the others out of it, `calgw log FILE` and"
        + " `calgw restore ID` bring the last version back.")
    var there = found
    there.suit(pair, item, in: "work")
    #expect(there.hint.hasPrefix("Keep one item in it, and add each of the others by itself"))
    #expect(!there.hint.contains("FILE"))
    let other = "deletes the item on the \(side.opposite.rawValue) side, too."
    #expect(there.hint.hasSuffix(other) == (uid != nil))
    // A file of a folder here is one.
    var here = found
    here.suit(files, item, in: "work")
    #expect(here.hint.contains(split) == (side == .local))
  }

  @Test func `what says the same as another one, or belongs into it, is dealt with where it is`() {
    let folders = PairConfiguration(name: "p", local: .directory("/c"), remote: .directory("/d"))
    let mixed = PairConfiguration(name: "p", local: .directory("/c"), remote: .account("there"))
    let servers = PairConfiguration(name: "p", local: .account("here"), remote: .account("there"))
    let turned = PairConfiguration(name: "p", local: .account("here"), remote: .directory("/d"))
    func hint(_ pair: PairConfiguration, _ side: Side, isSame: Bool = true) -> String {
      let place = Href("a's copy.ics")
      let here = isSame ? ItemProblem.takeFileAway : ItemProblem.importOccurrences
      let there = isSame ? ItemProblem.deleteThere : ItemProblem.putOccurrencesThere
      let item = ReportedItem(
        uid: ItemID("a"), file: side == .local ? place : nil, href: side == .remote ? place : nil,
        summary: "")
      var problem = ItemProblem(.duplicateUID, "", hint: side == .local ? here : there)
      problem.suit(pair, item, in: "work")
      var names = MendNames(ItemID("a"))
      names.file = "/c/work/a's copy.ics"
      names.otherFile = "/d/work/a's copy.ics"
      return pasteableMend(problem.hint, options: [], names: names)
    }
    let (name, move) = (#"work/a'\''s copy.ics"#, "mv --backup=numbered")
    #expect(hint(mixed, .local).hasPrefix("`\(move) '/c/\(name)' '/c/\(name).old'` takes"))
    #expect(hint(folders, .local) == hint(mixed, .local))
    #expect(hint(folders, .remote).hasPrefix("`\(move) '/d/\(name)' '/d/\(name).old'` takes"))
    #expect(hint(turned, .remote) == hint(folders, .remote))
    for (pair, side, root) in [
      (mixed, Side.local, "c"), (folders, .local, "c"), (folders, .remote, "d"),
      (turned, .remote, "d"),
    ] {
      let old = "'/\(root)/\(name).old'"
      let mend = hint(pair, side, isSame: false)
      #expect(mend.hasPrefix("`\(move) '/\(root)/\(name)' \(old)` and, with one file"))
      #expect(mend.contains("`calgw import \(old) --in /\(root)/work --update` put them there"))
    }
    let there: [(PairConfiguration, Side)] = [
      (mixed, .remote), (servers, .local), (servers, .remote), (turned, .local),
    ]
    for (pair, side) in there {
      #expect(hint(pair, side).hasPrefix("delete this one there"))
      #expect(hint(pair, side, isSame: false) == ItemProblem.putOccurrencesThere)
    }
  }

  /// No command of calgw writes over it, and its log may well be empty.
  @Test(
    arguments: [
      (
        .unreadable, "Correct it, or restore it with `calgw log FILE` and `calgw restore ID`.",
        "Correct it"
      ),
      (
        .unreadable,
        "Convert it to UTF-8, for example with iconv, or restore it with `calgw log FILE` and"
          + " `calgw restore ID`. Taking it away deletes the item on the other side, where it was"
          + " synced.",
        "Convert it to UTF-8, for example with iconv"
      ),
      (
        .noUID,
        "Add a line 'UID:' with a text that no other item has, below its BEGIN; or restore it with"
          + " `calgw log FILE` and `calgw restore ID`.",
        "Put its line 'UID:a' back"
      ),
    ] as [(ItemProblem.Code, String, String)], [Side.local, .remote])
  func `what a server has that is no item is corrected or taken away there`(
    found: (code: ItemProblem.Code, hint: String, mend: String), side: Side
  ) {
    let pair = PairConfiguration(name: "p", local: .account("here"), remote: .account("there"))
    let place = Href("/c/a.ics")
    let item = ReportedItem(
      uid: ItemID("a"), file: side == .local ? place : nil, href: side == .remote ? place : nil,
      summary: "")
    var problem = ItemProblem(found.code, "'/c/a.ics' is broken", hint: found.hint)
    problem.suit(pair, item, in: "work")
    #expect(
      problem.hint
        == "\(found.mend) on the server, or take it away there: that deletes the item on the"
        + " \(side.opposite.rawValue) side, too.")
    // A file here is another matter.
    let files = PairConfiguration(name: "p", local: .directory("/c"), remote: .account("there"))
    let file = ReportedItem(uid: ItemID("a"), file: Href("a.ics"), href: nil, summary: "")
    var here = ItemProblem(found.code, "'a.ics' is broken", hint: found.hint)
    here.suit(files, file, in: "work")
    #expect(here.hint.contains("`calgw restore ID`"))
  }

  /// The table of docs/reconcile.md has it all.
  @Test(
    arguments: [
      (nil, .merge, .both, "that deletes the item on the local side, too."),
      (nil, .merge, .push, "the local side keeps the item."),
      (.edited, .merge, .both, "the next sync puts the item back, as the local side has it."),
      (.edited, .local, .push, "the next sync puts the item back, as the local side has it."),
      (.edited, .remote, .both, "that deletes the item on the local side, too."),
      (.edited, .remote, .push, "the local side keeps the item."),
      (.edited, .merge, .pull, "the local side keeps the item."),
      (.gone, .merge, .both, "the item is then gone from both sides."),
    ] as [(ItemProblem.Elsewhere?, ConflictPolicy, SyncDirection, String)])
  func `what comes of it when it is taken away there goes by what the other side made of it`(
    elsewhere: ItemProblem.Elsewhere?, policy: ConflictPolicy, direction: SyncDirection,
    end: String
  ) {
    var pair = PairConfiguration(name: "p", local: .directory("/c"), remote: .account("there"))
    (pair.policy, pair.direction) = (policy, direction)
    let item = ReportedItem(uid: ItemID("a"), file: nil, href: Href("/c/a.ics"), summary: "")
    for code in [ItemProblem.Code.noUID, .severalUIDs, .unreadable, .incomplete] {
      var problem = ItemProblem(
        code, "'/c/a.ics' is broken",
        hint: "Correct it, or restore it with `calgw log FILE` and `calgw restore ID`.")
      problem.elsewhere = elsewhere
      problem.suit(pair, item, in: "work")
      let mark = code == .severalUIDs ? "," : ":"
      #expect(problem.hint.hasSuffix("take it away there\(mark) \(end)"))
    }
  }

  @Test func `nothing comes back to a side that takes nothing`() {
    var pair = PairConfiguration(name: "p", local: .directory("/c"), remote: .account("there"))
    (pair.isReadOnly, pair.policy) = (true, .remote)
    let item = ReportedItem(uid: ItemID("a"), file: nil, href: Href("/c/a.ics"), summary: "")
    var problem = ItemProblem(
      .noUID, "'/c/a.ics' is broken",
      hint: "Correct it, or restore it with `calgw log FILE` and `calgw restore ID`.")
    problem.elsewhere = .edited
    problem.suit(pair, item, in: "work")
    #expect(problem.hint.hasSuffix("or take it away there: the local side keeps the item."))
  }

  /// A proxy may have cut it, and the log has nothing that a server would take.
  @Test(
    arguments: [
      (
        SyncDirection.both, "a",
        "If it is whole there, it was cut on the way, and is looked at again within a day, or at"
          + " once by `calgw resolve UID --take remote`. Else correct it there, or take it away"
          + " there: that deletes the item on the local side, too."
      ),
      (
        .push, "a",
        "If it is whole there, it was cut on the way, and is looked at again within a day. Else"
          + " correct it there, or take it away there: the local side keeps the item."
      ),
      (
        .both, nil,
        "Correct it where it is, or take it away there: both sides share nothing of it. If it is"
          + " whole there, it was cut on the way, and is looked at again within a day."
      ),
    ] as [(SyncDirection, String?, String)])
  func `what a server gives cut off is looked at again`(
    direction: SyncDirection, uid: String?, mend: String
  ) {
    var pair = PairConfiguration(name: "p", local: .directory("/c"), remote: .account("there"))
    pair.direction = direction
    let item = ReportedItem(
      uid: uid.map { ItemID($0) }, file: nil, href: Href("/c/a.ics"), summary: "")
    for hint in [
      "Complete it, or restore it with `calgw log FILE` and `calgw restore ID`.",
      "correct it on the server, or take it away there",
    ] {
      var problem = ItemProblem(.incomplete, "'/c/a.ics' is cut off", hint: hint)
      problem.suit(pair, item, in: "work")
      #expect(problem.hint == mend)
    }
    // That is about a file here.
    var other = ItemProblem(
      .incomplete, "'b.ics' on the local side seems to be it", hint: "Mend that file")
    other.suit(pair, item, in: "work")
    #expect(other.hint == "Mend that file")
  }

  @Test(
    arguments: [
      (nil, .both, nil), (nil, .pull, "the remote side keeps the item"),
      (.edited, .both, "the next sync puts the item back, as the remote side has it"),
      (.edited, .push, "the remote side keeps the item"),
    ] as [(ItemProblem.Elsewhere?, SyncDirection, String?)])
  func `to take a broken file away is called a deletion where it is one`(
    elsewhere: ItemProblem.Elsewhere?, direction: SyncDirection, words: String?
  ) {
    var pair = PairConfiguration(name: "p", local: .directory("/c"), remote: .account("there"))
    pair.direction = direction
    let mend = "Correct it, or restore it with `calgw log FILE` and `calgw restore ID`."
    let warning = "Taking it away \(ItemProblem.deletesThere)."
    let forms = [
      (ItemProblem.Code.unreadable, "\(mend) \(warning)", "\(mend) If you take it away, "),
      (
        .notAFile, ItemProblem.removeAndRestore,
        ItemProblem.removeAndRestore.replacing(
          "to take it away alone \(ItemProblem.deletesThere)", with: "if you take it away alone, ")
      ),
    ]
    for (code, hint, start) in forms {
      var problem = ItemProblem(code, "'a.ics' is broken", hint: hint)
      problem.elsewhere = elsewhere
      let end = hint.hasSuffix(".") ? "." : ""
      // A run names the file alone, and a look both.
      for href in [nil, Href("/c/a.ics")] {
        var shared = problem
        shared.suit(
          pair, ReportedItem(uid: ItemID("a"), file: Href("a.ics"), href: href, summary: ""),
          in: "work")
        #expect(shared.hint == words.map { start + $0 + end } ?? hint)
      }
      // What was never synced is not deleted anywhere.
      problem.suit(
        pair, ReportedItem(uid: nil, file: Href("a.ics"), href: nil, summary: ""), in: "work")
      #expect(problem.hint == hint)
    }
  }

  static let offer = " `calgw resolve UID --take remote` takes what is there."

  /// A file that was never synced is in no log; where one may have it, only who looked knows.
  @Test(
    arguments: [
      (
        .incomplete, "Complete it, or restore it with `calgw log FILE` and `calgw restore ID`.",
        "Correct it, or put a whole file in its place."
      ),
      (
        .incomplete,
        "Complete it, or restore it with `calgw log FILE` and `calgw restore ID`.\(offer)",
        "Correct it, or put a whole file in its place.\(offer)"
      ),
      (
        .unreadable,
        "Correct it, or restore it with `calgw log FILE` and `calgw restore ID`.\(offer)",
        "Correct it.\(offer)"
      ),
      (.unreadable, "check the permissions of the folder", "check the permissions of the folder"),
    ] as [(ItemProblem.Code, String, String)])
  func `of a file that the log does not have no mend speaks of the log`(
    code: ItemProblem.Code, hint: String, mend: String
  ) {
    let pair = PairConfiguration(name: "p", local: .directory("/c"), remote: .account("there"))
    let item = ReportedItem(uid: nil, file: Href("a.ics"), href: nil, summary: "")
    var problem = ItemProblem(code, "'a.ics' is broken", hint: hint)
    problem.suit(pair, item, in: "work")
    #expect(problem.hint == hint)
    var shared = problem
    shared.suit(MendNames(ItemID("a")))
    #expect(shared.hint == hint)
    problem.suit(MendNames())
    #expect(problem.hint == mend)
  }
}

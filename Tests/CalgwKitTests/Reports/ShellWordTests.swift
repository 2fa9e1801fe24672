import CalgwKit
import SyncModel
import Testing

/// Commands to paste hold nothing that a shell would run: UIDs come from strangers.
@Suite struct ShellWordTests {
  @Test(arguments: [
    ("dentist", "dentist"), ("a-1_2.3@example.org", "a-1_2.3@example.org"), ("", "''"),
    ("two words", "'two words'"), ("$(touch /tmp/pwn)", "'$(touch /tmp/pwn)'"),
    ("`id`", "'`id`'"), ("a;b", "'a;b'"), ("it's", #"'it'\''s'"#), ("'", #"''\'''"#),
    ("~", "'~'"), ("=ls", "'=ls'"), ("*", "'*'"), ("!!", "'!!'"), ("ü", "'ü'"),
    ("'\u{301};id;'", "''\\''\u{301};id;'\\'''"),
  ])
  func `a word is quoted where a shell would not take it as it is`(text: String, word: String) {
    #expect(shellWord(text) == word)
  }

  @Test(arguments: [
    "a'b", "'; id; '", "\\", "a\"$HOME\"", "'\u{301}$(id)", "-x", "a\\'b", "{a,b}", "#", "a&b",
  ])
  func `a shell gives the word back as it was`(text: String) throws {
    let script = "printf %s \(shellWord(text))"
    let result = try RunCommand(
      arguments: ["/bin/sh", "-c", script], variables: [:], timeLimit: .seconds(20),
      shouldStop: { false }
    ).run()
    #expect(result.end == .exited(0))
    #expect(String(decoding: result.output, as: UTF8.self) == text)
  }

  @Test func `a command has its options, and no argument that looks like one`() {
    #expect(shellCommand("log") == "calgw log")
    #expect(shellCommand("resolve", argument: "dentist") == "calgw resolve dentist")
    #expect(shellCommand("resolve", argument: "--take") == "calgw resolve -- --take")
    #expect(
      shellCommand("resolve", options: ["--local", "my calendars"], argument: "-1 x")
        == "calgw resolve --local 'my calendars' -- '-1 x'")
  }

  @Test func `what a terminal would obey is for the shell to put together`() {
    #expect(
      shellCommand("log", argument: "a\u{1B}[2J'b")
        == #"calgw log "$(printf %b 'a\0033[2J\0047b')""#)
    let prepended = String(repeating: "\u{600}", count: 20)
    #expect(visibleText("\(prepended)'").unicodeScalars.last == "'", "a quote is never left out")
  }

  @Test(
    arguments: [
      (
        "Bring it back: `calgw resolve UID --take local`.", "gym",
        "Bring it back: `calgw resolve --local 'my cal' --take local gym`."
      ),
      (
        "run `calgw resolve UID --take local`", "-1 x",
        "run `calgw resolve --local 'my cal' --take local -- '-1 x'`"
      ),
      (
        "`calgw log FILE` and `calgw restore ID`", nil,
        "`calgw log --local 'my cal' FILE` and `calgw restore --local 'my cal' ID`"
      ),
      (
        "`calgw log FILE` and `calgw restore ID`", "gym",
        "`calgw log --local 'my cal' gym` and `calgw restore --local 'my cal' ID`"
      ),
      (
        "`calgw resolve UID --take remote` brings one back", nil,
        "`calgw resolve --local 'my cal' UID --take remote` brings one back"
      ),
      ("`calgw move FILE PAIR/COLLECTION`", nil, "`calgw move FILE PAIR/COLLECTION`"),
      ("`calgw move FILE PAIR/COLLECTION`", "gym", "`calgw move gym PAIR/COLLECTION`"),
      ("`calgw move FILE PAIR/COLLECTION`", "-1 x", "`calgw move -- '-1 x' PAIR/COLLECTION`"),
      ("`calgw delete FILE --span all`", "-1", "`calgw delete --span all -- -1`"),
      (
        "run `calgw forget 'a b/work'` and sync", nil,
        "run `calgw forget --local 'my cal' 'a b/work'` and sync"
      ),
      (
        "write `calgw` and `calgw init`, then sync", "gym",
        "write `calgw` and `calgw init`, then sync"
      ),
      ("a UID: `x`\u{1B}[2J", "gym", "a UID: `x`\\u{1B}[2J"),
    ] as [(String, String?, String)])
  func `a mend says what to paste`(mend: String, uid: String?, shown: String) {
    let names = MendNames(uid.map { ItemID($0) })
    #expect(pasteableMend(mend, options: ["--local", "my cal"], names: names) == shown)
  }

  /// The file's name has words in it that stand for something elsewhere.
  @Test(
    arguments: [
      (
        "`calgw log FILE`, `calgw restore ID`",
        "`calgw log --config c '/my cal/ID/UID a.ics'`, `calgw restore --config c p/7`"
      ),
      ("`cp FILE OTHERFILE`", "`cp '/my cal/ID/UID a.ics' /copy/a.ics`"),
      (
        "`calgw delete FILE --span all` or `calgw move FILE PAIR/COLLECTION`",
        "`calgw delete --config c '/my cal/ID/UID a.ics' --span all` or `calgw move --config c"
          + " '/my cal/ID/UID a.ics' PAIR/COLLECTION`"
      ),
      (
        "`calgw resolve UID --take local`",
        "`calgw resolve --config c --take local '/my cal/ID/UID a.ics'`"
      ),
      ("FILE and `FILE` are no commands", "FILE and `FILE` are no commands"),
    ] as [(String, String)])
  func `a mend names the file where the UID does not name it alone`(mend: String, shown: String) {
    var names = MendNames(ItemID("a"))
    names.file = "/my cal/ID/UID a.ics"
    names.otherFile = "/copy/a.ics"
    names.item = names.file
    names.version = "p/7"
    #expect(pasteableMend(mend, options: ["--config", "c"], names: names) == shown)
  }

  @Test(arguments: [
    "a\nb", "\u{1B}[2J\"; id; \"", "'\u{301}\r$(id)", "\\n\t`id`!!", "\u{202E}%s%b", "-\u{200C}x",
    "ü" + String(repeating: "\u{301}", count: 20),
  ])
  func `what a terminal does not show reaches the command all the same`(text: String) throws {
    let word = String(shellCommand("log", argument: text).split(separator: " ", maxSplits: 2)[2])
    #expect(visibleText(word, limit: 4096).unicodeScalars.elementsEqual(word.unicodeScalars))
    let script = "show() { while [ $# -gt 1 ]; do shift; done; printf %s \"$1\"; }; show \(word)"
    let result = try RunCommand(
      arguments: ["/bin/sh", "-c", script], variables: [:], timeLimit: .seconds(20),
      shouldStop: { false }
    ).run()
    #expect(result.output == Array(text.utf8))
  }

  @Test func `a long path is whole in a command, and a long text is cut beside it`() {
    let path = String(repeating: "/long", count: 800)
    let command = "`\(shellCommand("log", argument: path))`"
    #expect(command.contains(path))
    let mend = "read \(command) and `calgw restore ID`"
    #expect(pasteableMend(mend, options: [], names: MendNames()) == mend)
    let text = String(repeating: "x", count: 600)
    #expect(
      pasteableMend("\(command)\(text)\(command)", options: [], names: MendNames())
        == "\(command)\(text.prefix(500))…")
    let endless = String(repeating: "`", count: 5000) + text
    #expect(pasteableMend(endless, options: [], names: MendNames()).count < 10_000)
  }

  @Test func `commands that work on any file are given no pair`() {
    var names = MendNames()
    names.file = "/a.ics"
    let mend = "`calgw delete FILE` and `calgw diff FILE`"
    #expect(
      pasteableMend(mend, options: ["--local", "x"], names: names)
        == "`calgw delete /a.ics` and `calgw diff --local x /a.ics`")
  }
}

import ICalendar
import Recurrence
import SyncPlanning
import TestSupport
import Testing

/// Every case of Fixtures/zones/same-content.zones.
@Suite struct DefinitionTableTests {
  private let zones = ItemZones(.machine)

  @Test func `there are cases`() {
    #expect(DefinitionCase.all.count >= 40)
    #expect(DefinitionCase.all.count { $0.isSame } >= 15)
  }

  @Test(arguments: DefinitionCase.all)
  func `is the same item or another one, as the table says`(row: DefinitionCase) throws {
    let (first, second) = (try row.tree(0), try row.tree(1))
    #expect(first.wholeness == .whole && second.wholeness == .whole)
    #expect(zones.isSameContent(first, second) == row.isSame)
    #expect(zones.isSameContent(second, first) == row.isSame)
    // The digest that the journal keeps knows no tzdata.
    #expect(canonicalForm(of: first) != canonicalForm(of: second))
    #expect(!ItemZones.ownDefinitions.isSameContent(first, second) || row.name.hasSuffix("of-utc"))
  }

  @Test(arguments: DefinitionCase.all)
  func `is told of as changed only where it is`(row: DefinitionCase) throws {
    let told = describeChange(from: try row.tree(0), to: try row.tree(1), zones: zones)
    #expect(told.map(\.property) == (row.isSame ? [] : ["VTIMEZONE"]))
  }

  @Test(arguments: DefinitionCase.all)
  func `another title is another item all the same`(row: DefinitionCase) throws {
    let text = String(decoding: try row.tree(1).bytes, as: UTF8.self)
    let other = text.replacing("SUMMARY:Dentist", with: "SUMMARY:Doctor")
    #expect(!zones.isSameContent(try row.tree(0), SyntaxTree(bytes: Array(other.utf8))))
  }

  @Test func `a definition that is not left out is told of by what became of it`() throws {
    func words(_ name: String) throws -> [String] {
      let row = try #require(DefinitionCase.all.first { $0.name == name })
      return describeChange(from: try row.tree(0), to: try row.tree(1), zones: zones).map(\.words)
    }
    let vienna = "definition of the time zone Europe/Vienna"
    #expect(try words("one-meeting-in-summer") == ["\(vienna) changed"])
    #expect(try words("a-definition-beside-none-in-summer") == ["\(vienna) removed"])
  }

  @Test func `without its redundant definitions a text is otherwise as it was`() throws {
    let row = try #require(DefinitionCase.all.first { $0.name == "dropped-by-the-server" })
    #expect(zones.withoutRedundantDefinitions(try row.tree(0)).bytes == (try row.tree(1)).bytes)
    let summer = try #require(DefinitionCase.all.first { $0.name == "weeks-without-end" })
    let wrong = try summer.tree(1)
    #expect(zones.withoutRedundantDefinitions(wrong).bytes == wrong.bytes)
  }
}

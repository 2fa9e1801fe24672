import CalgwKit
import Testing

@Suite struct RememberedPlaceTests {
  @Test(
    arguments: [
      ("/home/ann/cal/work 65024 16270173\n", "/home/ann/cal/work", "/home/ann/cal"),
      ("/home/ann/my cal/to do 1 2\n", "/home/ann/my cal/to do", "/home/ann/my cal"),
      ("/two\nlines/a 1 2\n", "/two\nlines/a", "/two\nlines"),
      (
        "https://dav.example.org/ann/work/\nann", "https://dav.example.org/ann/work/",
        "https://dav.example.org/ann"
      ),
    ])
  func `an identity has its place and who is asked there`(
    identity: String, path: String, parent: String
  ) {
    let place = RememberedPlace(identity: Array(identity.utf8))
    #expect(String(decoding: place.path, as: UTF8.self) == path)
    #expect(String(decoding: place.parent, as: UTF8.self) == parent)
  }

  @Test func `a folder is known by its path, also one that is not UTF-8`() {
    let path = Array("/cal/caf".utf8) + [0xE9]
    let text = String(decoding: path, as: UTF8.self)
    #expect(
      RememberedPlace(folder: path) == RememberedPlace(identity: Array("\(text) 1 2\n".utf8)))
  }
}

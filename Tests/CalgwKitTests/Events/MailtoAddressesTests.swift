import CalgwKit
import Testing

@Suite struct MailtoAddressesTests {
  /// The escapes are those of RFC 6068 sections 2 and 6.
  @Test(arguments: [
    ("mailto:ann@example.org", "ann@example.org"), ("MAILTO:Ann@example.org", "Ann@example.org"),
    ("mailto:gorby%25kremvax@example.com", "gorby%kremvax@example.com"),
    ("mailto:unlikely%3Faddress@example.com?blat=foop", "unlikely?address@example.com"),
    ("mailto:%22not%40me%22@example.org", "\"not@me\"@example.org"),
    ("mailto:user@%E7%B4%8D%E8%B1%86.example.org", "user@\u{7D0D}\u{8C46}.example.org"),
    ("mailto:ann@example.org,bob%2Bx@example.org", "ann@example.org, bob+x@example.org"),
    ("mailto:a%2Cb@example.org", "a,b@example.org"), ("mailto:", ""),
  ])
  func `an address is shown as people write it`(uri: String, shown: String) {
    #expect(mailtoAddresses(in: uri) == shown)
  }

  @Test(arguments: ["50%off@example.org", "%FF@example.org", "a%0D%0Ab@example.org", "%1B[2J@x"])
  func `what encodes no text stays as it is spelled`(address: String) {
    #expect(mailtoAddresses(in: "mailto:" + address) == address)
  }

  @Test(arguments: ["ann@example.org", "urn:uuid:1", "https://example.org/ann", "mail:a@b", ""])
  func `another URI is none`(uri: String) { #expect(mailtoAddresses(in: uri) == nil) }
}

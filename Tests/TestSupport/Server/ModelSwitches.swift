/// The ways in which real servers differ, each measured on one of them or told of it.
public struct ModelSwitches: Sendable {
  public enum PutTag: Sendable { case strong, none, weak, wrong }
  public enum TagForm: Sendable { case quoted, unquoted, weak, gzip, brotli }
  public enum HrefForm: Sendable { case plain, absolute, reencoded, alternating }
  public enum Authentication: Sendable { case none, basic, digest, silentBasic, bearer, never }
  public enum MissingInMultiget: Sendable { case entry, omitted, wholeRequest }
  public enum Definitions: Sendable { case kept, replaced, dropped }

  // MARK: Tags
  public var putTag = PutTag.strong
  public var tagForm = TagForm.quoted
  /// They are weak with a text, as of a proxy that compresses.
  public var weakensTagsOfTexts = false
  /// In listings and reports they have no quotes.
  public var listsTagsUnquoted = false
  /// Items with attendees have a Schedule-Tag (RFC 6638), and its guard holds.
  public var givesScheduleTags = false
  /// The tag is new at every read, without a change.
  public var tagChangesOnRead = false
  /// The tag is the second of the last change.
  public var tagIsSecond = false
  /// It counts the writes of an item, and begins anew with an item that is made anew (SOGo).
  public var tagIsCounter = false
  /// It is a hash: of the text, or of the second or the count that it would be.
  public var tagIsHash = false
  public var listsTags = true
  /// GET of an item has one.
  public var readsTags = true

  // MARK: What is stored
  public var rewritesOrder = false
  public var dropsExtensions = false
  /// No links and no attached files.
  public var dropsAttachments = false
  public var addsStamps = false
  /// PRODID and DTSTAMP are the server's own.
  public var isAuthor = false
  /// What would be stored as it is already changes nothing: no tag moves.
  public var passesOverEqualTexts = false
  public var addsAlarm = false
  /// An item without a DESCRIPTION gets an empty one.
  public var addsEmptyTexts = false
  /// Attendees get a name and what became of the mail to them, and lose RSVP.
  public var fillsInAttendees = false
  /// What becomes of the definitions of time zones: kept, replaced by the server's own where it
  /// knows the zone, or left out (RFC 7809).
  public var definitions = Definitions.kept
  /// Bytes of a property's line that are kept.
  public var truncatesAt: Int?
  /// New items get UIDs of the server's own, `srv-NUMBER-` and the one that was sent (Exchange
  /// behind DavMail).
  public var makesUIDs = false
  /// The server stores under a name of its own.
  public var choosesNames = false
  /// It says so in Location.
  public var tellsNames = true
  /// Overrides are stored as resources of their own.
  public var splitsOverrides = false

  // MARK: Listings
  public var contentType = "text/calendar; component=vevent"
  public var hrefForm = HrefForm.plain
  public var duplicatesHrefs = false
  /// An address outside the calendar, and one on another server.
  public var listsStrangers = false
  /// Where listings and reports say that items are: beside the calendar, or on another server. At
  /// their addresses in the calendar is nothing.
  public var itemsAreListedAt: String?
  /// A name that is listed, and GET says 404.
  public var listsPhantom = false
  /// The paths of calendars that the home does not list: a new one some show late (Infomaniak).
  public var unlistedCalendars: Set<String> = []
  /// Milliseconds until a listing shows a new item, or ceases to show a deleted one.
  public var lag: Int64 = 0
  /// Milliseconds until a GET and a multiget show what was written.
  public var writeLag: Int64 = 0
  /// Until then there is nothing, also where something was written over.
  public var lateWritesShowNothing = false
  public var hasSyncCollection = true
  public var hasMultiget = true
  public var missingInMultiget = MissingInMultiget.entry
  /// A multiget gives an item that was not asked for, too.
  public var addsUnsolicited = false
  /// 404 entries for names with `#` and `?`, which GET finds.
  public var multigetMissesOddNames = false
  /// A multiget for more items is refused, with a status.
  public var mostInMultiget = Int.max
  public var multigetRefusal = 507
  /// Years around now of which a calendar-query shows items, whatever it asks for (OX); nil: there
  /// is no such report.
  public var queryYears: Int?
  public var advertisesReports = true
  public var hasCalendarTag = true
  /// Collections have a DAV:resource-id (RFC 5842).
  public var givesResourceIDs = false
  /// The first question for the resource-id makes it, and that moves the CTag, as Xandikos does.
  public var makesResourceIDsWhenAsked = false
  public var calendarTagIsConstant = false
  /// It moves with a change, also where a listing shows that later.
  public var calendarTagIsPrompt = false
  /// It is the second of the last change.
  public var calendarTagIsSecond = false
  /// Whether a calendar's token is a property of it, and not only in the answers to the report.
  public var showsSyncToken = true
  /// Changes after which a token is not known any more.
  public var tokenLifetime: Int?
  /// Milliseconds after which a change is forgotten: a token from before it is not known any more.
  public var tokenAge: Int64?
  /// The token is the second of the last change, and changes within it are not told again.
  public var tokenIsSecond = false
  /// They are told again, where the token is a number alone (SOGo).
  public var tellsSecondAgain = false
  /// The token is the count of the calendar's changes: one of a former calendar at its address is
  /// taken (sabre/dav).
  public var tokenIsCount = false
  /// It is a number alone, and one of a former calendar at its address is taken: of the changes in
  /// all calendars (DAViCal), or of the second (SOGo).
  public var tokenIsNumber = false
  /// Collections have a DAV:creationdate (DAViCal).
  public var givesCreationDates = false
  /// It is the time of the last change.
  public var creationDateIsLastChange = false
  public var invalidTokenStatus = 403
  /// An unknown token gives a full listing without the deletions.
  public var invalidTokenListsAll = false
  public var forgetsDeletions = false
  /// A report of changes says of the calendar itself that it is not there.
  public var deniesItself = false
  /// A report of changes compares the state of the token with the present one: what was made and
  /// deleted in between is in none (Xandikos).
  public var comparesStates = false
  public var goneStatus = 404
  /// What stands behind the address of what is gone: some servers put a slash there.
  public var endOfGone = ""
  /// When an item changed is said by GET alone (Radicale).
  public var hidesTimes = false
  public var pageSize: Int?
  /// A page that is not the last says so (507).
  public var tellsOfPages = true
  /// A report of everything names no more items, and gives the newest token without a word of the
  /// rest (Stalwart).
  public var mostInWholeReport: Int?
  /// The token of a page leaves out the next item (Stalwart).
  public var skipsBetweenPages = false
  /// With 507, the token that was sent comes back.
  public var repeatsToken = false
  /// What a GET of a missing item is answered with (Robur: 403).
  public var missingStatus = 404
  /// A missing collection is a 207 with a 404 inside.
  public var missingCollectionIn207 = false

  // MARK: Writes
  public var ignoresIfNoneMatch = false
  public var ignoresIfMatch = false
  /// `If-Match` has to hold the tag as it was given, without quotes too.
  public var comparesTagsAsGiven = false
  public var ignoresIfMatchOnDelete = false
  /// The status for a UID that is stored already; nil: stored twice.
  public var uidConflictStatus: Int?
  public var uidConflictElement: String? = "no-uid-conflict"
  public var uidsSpanCalendars = false
  /// Storing a UID a second time takes it away from where it was.
  public var movesUIDs = false
  /// Items of one UID are one event, whatever calendars show it: with one of them all are deleted
  /// (Zimbra).
  public var deletesEqualUIDs = false
  /// How a MOVE is answered that is not carried out; nil: it is.
  public var moveRefusal: Int?
  /// What is moved gets its UID for a name, whatever is asked for (SOGo).
  public var movesToUIDs = false
  /// A deleted name is not free again (400).
  public var trashBlocksNames = false
  /// A deleted UID is not stored again under another name, which 400 and words say (Nextcloud).
  public var trashBlocksUIDs = false
  /// Every write is refused, whatever was advertised.
  public var refusesWrites = false
  public var advertisesReadOnly = false
  /// Local names of properties that PROPPATCH refuses.
  public var refusedProperties: Set<String> = []
  /// Local names of those with which no calendar is made.
  public var propertiesRefusedInMaking: Set<String> = []
  /// 207 says which they are, else a bare 403.
  public var namesPropertiesInMaking = false
  /// It is made all the same, against RFC 4791 §5.3.1.
  public var makesWhatItRefuses = false
  /// The calendar-order that the server keeps, whatever it is sent (SOGo).
  public var ownOrder: String?
  /// Of a colour it keeps `#RRGGBB` alone.
  public var hasNoAlpha = false
  /// The display name that the server keeps, whatever it is sent.
  public var ownDisplayName: String?
  /// A new display name gives a calendar another address (Zimbra).
  public var renamesMove = false
  public var enforcesComponents = false
  public var isImmutable = false
  public var maxResourceSize: Int?
  /// 403 `valid-calendar-data` and its kin, else a bare 412.
  public var namesPreconditions = true
  public var answersPutWith207 = false
  public var hasMakeCalendar = true
  public var hasMakeCollection = true
  /// The name and colour of a new calendar, whatever is asked for; PROPPATCH changes them.
  public var newCalendar: (name: String?, color: String?)?
  /// A new calendar gets an address of the server's own.
  public var choosesCalendarNames = false
  /// So it does, and answers at the address that was asked for as well (OX).
  public var listsCalendarsElsewhere = false
  /// The answer says where a new calendar is.
  public var locatesCalendars = false
  /// More kinds than this are refused for a new calendar (iCloud wants one a calendar).
  public var mostKinds: Int?
  /// What a new calendar takes where nothing was asked for; nil: everything.
  public var usualKinds: [String]?
  /// What is asked for is passed over in silence.
  public var ignoresKinds = false

  /// Each answer has a Date.
  public var tellsDate = false
  /// Answers come over HTTP/2.
  public var isMultiplexed = false

  // MARK: Accounts
  public var authentication = Authentication.none
  public var hasPrincipals = true
  public var homeIsPrincipal = false
  /// A home set that principals name beside the real one, and where nothing is.
  public var lostHome: String?

  public init() {}
}

import SyncExecution
import SyncModel

extension CollectionOpener {
  /// The pair's directory was itself the folder of a calendar, and now those in it are.
  func wasDirectory(_ collection: String, forget: String) -> ReportedProblem {
    ReportedProblem(
      item: ReportedItem(uid: nil, file: nil, href: nil, summary: ""),
      problem: ItemProblem(
        .collectionGone,
        "\(collection) was synced with the folder \(pair.local.path) itself (`calendar`), and"
          + " `collections` takes the folders in it; both sides are left alone",
        hint: "set `calendar` again in place of `collections`; or run \(forget) and sync: it gets a"
          + " folder of its own there, and the files beside that are synced no longer"))
  }
}

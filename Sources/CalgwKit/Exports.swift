// What a report is made of comes with it: the command line imports CalgwKit alone.
@_exported public import ICalendar
@_exported public import Recurrence
@_exported public import SyncExecution
@_exported public import SyncModel
@_exported public import SyncPlanning

/// Version 5 of the schema: what was refused has the cause that later runs know it by. Before, they
/// knew it by the words of its message, of which those that stand here were all.
enum SchemaOfCauses {
  static let steps = """
    ALTER TABLE observations ADD COLUMN refused_cause TEXT
      CHECK (wait IS 'refused' OR refused_cause IS NULL);
    UPDATE observations SET refused_cause = CASE
      WHEN refused_message GLOB 'the server has another item of this UID*' THEN 'uid-is-taken'
      WHEN refused_message GLOB 'the server itself tells the attendees of what becomes of it,*'
        THEN 'tells-attendees'
      WHEN refused_message GLOB '*it, and kept the former *' THEN 'kept-former'
      WHEN refused_message GLOB 'it waits until *' THEN 'may-be-unread'
      WHEN refused_message GLOB 'the server gives items UIDs of its own*' THEN 'twin'
      END
    WHERE wait IS 'refused';
    """
}

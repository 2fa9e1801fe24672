// ICU's headers would come along, and they clash with those in Swift's Foundation. What they are
// needed for, a converter inside a handler that nothing here touches, is left out with them.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlmemory.h>

// What of OpenSSL 3 Swift cannot see by itself: its macros, as functions. One header for each folder of TLSEngine.
#include "connections.h"
#include "certificates.h"

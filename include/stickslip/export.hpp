// What a shared library shows to its users: everything else stays hidden.
#pragma once

#if defined(__GNUC__)
#define STICKSLIP_EXPORT __attribute__((visibility("default")))
#else
#define STICKSLIP_EXPORT
#endif

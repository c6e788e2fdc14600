// What the address sanitizer is told in its builds: libhdf5 1.10 asks for whatever size a damaged header
// claims, and loses small pieces of memory on damaged headers; libfclib leaves the structures that it returns
// behind. None is ours.

#if defined(__SANITIZE_ADDRESS__)
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" __attribute__((visibility("default"))) const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5\nleak:libfclib"; }
#endif

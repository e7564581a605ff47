// Memory for long arrays that are read here and there: in pages of 2 MB, where the system has them. With pages of 4 kB
// every far read costs a walk through the page tables besides.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#ifdef __linux__
#    include <sys/mman.h>
#endif

namespace scree {

template <class T>
struct LargePages {
    using value_type = T;
    static constexpr std::size_t page = std::size_t{2} << 20;

    LargePages() = default;
    template <class U>
    LargePages(const LargePages<U>&) {}

    static bool is_large(std::size_t n) { return n * sizeof(T) >= page; }
    T* allocate(std::size_t n) {
        if (!is_large(n)) return static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{64}));
        const std::size_t bytes = (n * sizeof(T) + page - 1) / page * page;
        void* memory = std::aligned_alloc(page, bytes);
        if (!memory) throw std::bad_alloc();
#ifdef __linux__
        madvise(memory, bytes, MADV_HUGEPAGE);  // a wish; without it pages are small
#endif
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t n) {
        if (is_large(n))
            std::free(memory);
        else
            ::operator delete (memory, std::align_val_t{64});
    }
    bool operator==(const LargePages&) const { return true; }
};

template <class T>
using LongVector = std::vector<T, LargePages<T>>;

}  // namespace scree

/** What Node is started with, as the image starts it. */
export const NODE_FLAGS = ['--disable-proto=throw', '--max-semi-space-size=4'] as const

/** Variables of the same, which the C library reads before the program does. */
export const ALLOCATOR = { MALLOC_ARENA_MAX: '2' } as const

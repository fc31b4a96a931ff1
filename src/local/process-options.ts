/** What Node is started with, as the image starts it. */
export const NODE_FLAGS = ['--disable-proto=throw', '--max-semi-space-size=8'] as const

/** Variables of the same, which the C library reads before the program does: one heap of `malloc`'s,
 * whose free end goes back to the machine. */
export const ALLOCATOR = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' } as const

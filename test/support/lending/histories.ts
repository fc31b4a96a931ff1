import fc from 'fast-check'

const IN_NPM_TEST = 25

/** `first-last` of the histories that `npm run test:histories` asks for: each is made of its seed alone. */
const { HISTORY_SEEDS } = process.env
const SEEDS = HISTORY_SEEDS === undefined ? [] : readRange(HISTORY_SEEDS)

/** For all of them together, on a busy machine. */
export const HISTORIES_MS = 240_000 * Math.max(1, SEEDS.length / IN_NPM_TEST)

/**
 * Plays the examples, then random histories: 25 of any seed, or those of HISTORY_SEEDS. One that fails is
 * not made shorter: that would take longer than the test may, and nothing would be shown.
 */
export async function playHistories<History>(
  property: fc.IAsyncProperty<[History]>,
  examples: [History][],
): Promise<void> {
  const numRuns = examples.length + (SEEDS.length > 0 ? 0 : IN_NPM_TEST)
  await fc.assert(property, { numRuns, examples, endOnFailure: true })
  for (const seed of SEEDS) {
    // A history with a bias is short and has extreme values: half of those with an even seed.
    await fc.assert(property, { seed, numRuns: 1, unbiased: seed % 2 === 1, endOnFailure: true })
  }
}

function readRange(range: string): number[] {
  const [first = 0, last = first] = range.split('-').map(Number)
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

import { setImmediate as nextTurn } from 'node:timers/promises'

/** So many rows of an answer take about half a millisecond. Others wait for no more of a long list. */
export const SLICE = 25

/** Does what `items.map` does, with other work going on after each slice. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += SLICE) {
    if (at > 0) await nextTurn()
    for (const item of items.slice(at, at + SLICE)) results.push(map(item))
  }
  return results
}

import { LRUCache } from 'lru-cache'

/** Keeps the `most` entries that were used last. By its own `max` the library would take the room of
 * all of them at once: half a MiB for 20,000. */
export function createBoundedCache<K extends {}, V extends {}>(most: number): LRUCache<K, V> {
  return new LRUCache({ maxSize: most, sizeCalculation: () => 1 })
}

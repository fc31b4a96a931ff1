const BATCH = 1_000

/**
 * Deletes what is too old, a thousand rows a transaction: none holds its locks for long, and what was
 * deleted stays so where a later batch fails. `deleteSome` gives the number it has deleted.
 */
export async function purge(deleteSome: (limit: number) => Promise<number>): Promise<number> {
  for (let purged = 0; ; ) {
    const deleted = await deleteSome(BATCH)
    purged += deleted
    if (deleted < BATCH) return purged
  }
}

const BATCH = 1_000

/** A thousand rows a transaction: locks are short, and a later failure undoes nothing. */
export async function purge(deleteSome: (limit: number) => Promise<number>): Promise<number> {
  for (let purged = 0; ; ) {
    const deleted = await deleteSome(BATCH)
    purged += deleted
    if (deleted < BATCH) return purged
  }
}

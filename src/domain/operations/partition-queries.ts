import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export type PartitionRow = { base: string; name: string; bytes: bigint; rows: bigint }

/** From the catalogue alone: sizes on disk with indexes, and rows as last estimated. */
export async function selectPartitions(db: Db): Promise<PartitionRow[]> {
  const { rows } = await sql<PartitionRow>`
    SELECT parent.relname AS base, child.relname AS name, pg_total_relation_size(child.oid) AS bytes,
           greatest(child.reltuples, 0)::bigint AS rows
    FROM pg_inherits
    JOIN pg_class parent ON parent.oid = inhparent
    JOIN pg_class child ON child.oid = inhrelid
    WHERE parent.relkind = 'p'
      AND parent.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'events'::regclass)
    ORDER BY 1, 2`.execute(db)
  return rows
}

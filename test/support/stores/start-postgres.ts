import {
  type Postgres,
  type PostgresOptions,
  startPostgres as startFrom,
} from '../../../src/local/stores/postgres.ts'

/** The packaged PostgreSQL, or the one whose programs are in the folder POSTGRES_BIN. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { POSTGRES_BIN } = process.env
  return await startFrom({ ...options, programs: POSTGRES_BIN || undefined })
}

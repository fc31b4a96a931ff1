import { gather } from '../../../core/gather.ts'
import type { Db } from '../../../db/database.ts'
import type { TenantPeople } from '../person.ts'
import { parseTokenOf } from '../tokens.ts'
import { type SessionRow, selectOpenSessions } from './session-queries.ts'
import { type ConsoleSession, findSession, toConsoleSession } from './sessions.ts'

const TOGETHER = { most: 1_000, waitMs: 100, sideBySide: 1 }

/** As `findSession`. `isExhausted`: the source has failed too often. */
export type FindSession = (
  token: string,
  now: Date,
  isExhausted: () => Promise<boolean>,
) => Promise<ConsoleSession | undefined>

/** Tokens from exhausted sources share a query every 100 ms: invented ones cost no more, and people
 * behind the same address stay signed in. */
export function createSessionLookup(db: Db): FindSession {
  const findTogether = gather<string, Row | undefined>({
    ...TOGETHER,
    async run(tokens) {
      const found = await loadSessions(db, tokens)
      return tokens.map((token) => found.get(token))
    },
  })
  return async (token, now, isExhausted) => {
    if (!parse(token)) return undefined
    if (!(await isExhausted())) return await findSession(db, 'tenant', token, now)
    const row = await findTogether(token)
    return row && toConsoleSession(row, now)
  }
}

/** Those of the tokens that open a session of the console now. */
export async function findOpenTokens(
  db: Db,
  tokens: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const found = [...(await loadSessions(db, tokens))]
  return new Set(found.flatMap(([token, row]) => (toConsoleSession(row, now) ? [token] : [])))
}

type Row = SessionRow<TenantPeople>

const parse = (token: string) => parseTokenOf('tenant', 'session', token)

async function loadSessions(db: Db, tokens: readonly string[]): Promise<Map<string, Row>> {
  const asked = tokens.flatMap((token) => parse(token) ?? [])
  const rows = await selectOpenSessions(db, asked)
  const found = new Map(rows.map((row) => [row.token_hash.toString('hex'), row]))
  const rowOf = (token: string) => found.get(parse(token)?.hash.toString('hex') ?? '')
  return new Map(
    tokens.flatMap((token): [string, Row][] => {
      const row = rowOf(token)
      return row ? [[token, row]] : []
    }),
  )
}

import { sql } from 'kysely'
import type { Db } from '../../../src/db/database.ts'
import { type Exchange, exchangesOf, isPortfolio, isSuccess } from './replays.ts'
import type { Sent, SentLog } from './sent-log.ts'

/** I1: what was acknowledged is there once, what is there was acknowledged, and answers never differ. */
export async function checkEffects(db: Db, log: Pick<SentLog, 'read'>): Promise<string[]> {
  const exchanges = exchangesOf(log)
  const checks = await Promise.all([
    checkCreations(db, exchanges),
    checkSignatures(db, exchanges),
    checkReports(db, exchanges),
    checkDeletions(db, exchanges),
    checkPortfolios(db, log),
  ])
  return [...exchanges.flatMap(checkAnswers), ...checks.flat()]
}

function checkAnswers({ key, sent, answered }: Exchange): string[] {
  const answers = new Set(answered.filter(isSuccess).map(({ status, body }) => `${status} ${body}`))
  const where = `${sent[0]?.method} ${sent[0]?.target} under ${key}`
  const problems = answers.size > 1 ? [`${where} was answered in ${answers.size} ways`] : []
  const effects = new Set(answered.filter(isSuccess).map(({ asked }) => asked))
  if (effects.size > 1) problems.push(`${where} took effect with ${effects.size} bodies`)
  return problems
}

/** What there is of each kind, and in which answers it was returned. */
async function checkCreations(db: Db, exchanges: readonly Exchange[]): Promise<string[]> {
  const { rows } = await sql<{ tenant_id: string; id: string }>`
    SELECT tenant_id, borrower_id AS id FROM borrowers
    UNION ALL SELECT tenant_id, facility_id FROM facilities
    UNION ALL SELECT tenant_id, draw_id FROM draws
    UNION ALL SELECT tenant_id, repayment_id FROM repayments
    UNION ALL SELECT tenant_id, webhook_id FROM webhooks`.execute(db)
  const there = rows.map((row) => `${row.tenant_id} ${row.id}`)
  const acknowledged = exchanges.flatMap(({ tenantId, answered }) => {
    const created = answered.find(({ status }) => status === 201)
    const id = created && /^\{"id":"([a-z]{3}_\w{26})"/.exec(created.body)?.[1]
    return id === undefined ? [] : [`${tenantId} ${id}`]
  })
  return differences(
    there,
    acknowledged,
    'exists and no answer acknowledged it',
    'was acknowledged and is lost',
  )
}

async function checkSignatures(db: Db, exchanges: readonly Exchange[]): Promise<string[]> {
  const rows = await db.selectFrom('signatures').select(['borrower_id', 'contract_type']).execute()
  const there = rows.map((row) => `${row.borrower_id} ${row.contract_type}`)
  const acknowledged = exchanges.flatMap(({ sent, answered }) => {
    const borrowerId = /\/borrowers\/(\w+)\/signatures$/.exec(sent[0]?.target ?? '')?.[1]
    if (borrowerId === undefined || !answered.some(isSuccess)) return []
    return [`${borrowerId} ${JSON.parse(sent[0]?.body ?? '{}').contract_type}`]
  })
  return differences(there, acknowledged, 'is signed once too often', 'was signed and is lost')
}

async function checkReports(db: Db, exchanges: readonly Exchange[]): Promise<string[]> {
  const rows = await db.selectFrom('repayments').select(['repayment_id', 'reference']).execute()
  const there = rows.flatMap((row) =>
    row.reference === null ? [] : [`${row.repayment_id} ${row.reference}`],
  )
  const acknowledged = exchanges.flatMap(({ sent, answered }) => {
    const repaymentId = /\/repayments\/(\w+)\/execution$/.exec(sent[0]?.target ?? '')?.[1]
    const { reference } = JSON.parse(sent[0]?.body ?? '{}')
    if (repaymentId === undefined || !reference || !answered.some(isSuccess)) return []
    return [`${repaymentId} ${reference}`]
  })
  return differences(there, acknowledged, 'was not reported', 'was reported and is lost')
}

async function checkDeletions(db: Db, exchanges: readonly Exchange[]): Promise<string[]> {
  const rows = await db
    .selectFrom('webhooks')
    .select('webhook_id')
    .where('state', '=', 'deleted')
    .execute()
  const there = rows.map((row) => row.webhook_id)
  const acknowledged = exchanges.flatMap(({ sent, answered }) => {
    const id = sent[0]?.method === 'DELETE' && /(whk_\w+)$/.exec(sent[0].target)?.[1]
    return id && answered.some(isSuccess) ? [id] : []
  })
  return differences(
    there,
    acknowledged,
    'is gone and no request deleted it',
    'was deleted and is back',
  )
}

/** Of each borrower the newest snapshot is kept, and none was called superseded by an older one. */
async function checkPortfolios(db: Db, log: Pick<SentLog, 'read'>): Promise<string[]> {
  const rows = await db.selectFrom('portfolios').select(['borrower_id', 'as_of']).execute()
  const stored = new Map(rows.map((row) => [row.borrower_id, row.as_of]))
  const entries = log.read()
  const sent = new Map<string, Sent>()
  for (const entry of entries) {
    if (entry.kind === 'sent' && isPortfolio(entry)) sent.set(entry.key, entry)
  }
  const problems: string[] = []
  for (const entry of entries) {
    const request = sent.get(entry.key)
    if (entry.kind === 'sent' || !request || entry.status !== 200) continue
    const borrowerId = /\/borrowers\/(\w+)\//.exec(request.target)?.[1] ?? ''
    const asOf = toMicros(JSON.parse(request.body ?? '{}').as_of)
    const newest = stored.get(borrowerId) ?? 0n
    const { applied } = JSON.parse(entry.body)
    if (applied && asOf > newest) problems.push(`${borrowerId} has lost the snapshot of ${asOf}`)
    if (!applied && asOf >= newest)
      problems.push(`${borrowerId}: ${asOf} is the newest, and was shed`)
  }
  return problems
}

function toMicros(text: string): bigint {
  const [, seconds = '', fraction = ''] = /^(.*?)(?:\.(\d+))?Z$/.exec(text) ?? []
  const whole = BigInt(Date.parse(`${seconds}Z`)) * 1_000n
  return whole + BigInt(fraction.padEnd(6, '0').slice(0, 6))
}

/** What exists unacknowledged and what was acknowledged and is lost, by count. */
function differences(
  there: readonly string[],
  acknowledged: readonly string[],
  unreported: string,
  lost: string,
): string[] {
  const counts = new Map<string, number>()
  for (const item of there) counts.set(item, (counts.get(item) ?? 0) + 1)
  for (const item of acknowledged) counts.set(item, (counts.get(item) ?? 0) - 1)
  return [...counts].flatMap(([item, count]) => {
    if (count === 0) return []
    return [`${item} ${count > 0 ? unreported : lost}`]
  })
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Tenant } from '../actors/tenant.ts'
import type { World } from '../world/world.ts'

/** I7: nothing secret or personal in any log, in anything sent to Redis, or in a refusal. */
export function checkLeaks(
  world: World,
  tenants: readonly Tenant[],
  canaries: readonly string[],
): string[] {
  const secrets = tenants.flatMap((tenant) => tenant.secrets.map(({ secret }) => secret))
  const wanted = [...world.secrets, ...secrets, ...canaries, 'PRIVATE KEY']
  const texts = new Map<string, string>()
  for (const path of readdirSync(world.folder, { recursive: true, encoding: 'utf8' })) {
    const isLog = /^[a-z0-9-]+\.\d+\.log$/.test(path)
    const isRedis = path.startsWith('redis-data-') && /\.(aof|rdb)$/.test(path)
    if (isLog || isRedis) texts.set(path, readFileSync(join(world.folder, path), 'latin1'))
  }
  for (const { name, refusals } of tenants) texts.set(`refusals to ${name}`, refusals.join('\n'))
  return [...texts].flatMap(([where, text]) =>
    wanted.filter((secret) => text.includes(secret)).map((secret) => `${where} holds ${secret}`),
  )
}

/** What our own processes say of themselves: no invariant that they found violated. */
export function checkServiceLogs({ folder }: World): string[] {
  return readdirSync(folder)
    .filter((name) => /^(api|worker)-.*\.log$/.test(name))
    .flatMap((name) => {
      const lines = readFileSync(join(folder, name), 'utf8').split('\n')
      return lines
        .filter((line) => line.includes('invariant violated'))
        .map((line) => `${name}: ${line}`)
    })
}

/** Row locks are taken in one order, so no two transactions wait for each other; a retry would hide it. */
export function findDeadlocks({ folder }: Pick<World, 'folder'>): string[] {
  return readdirSync(folder)
    .filter((name) => /^postgres\.\d+\.log$/.test(name))
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      // What the two were about follows, indented, up to the next line of another kind.
      const found = text.matchAll(/ERROR: +deadlock detected[\s\S]*?(?=STATEMENT:|$)/g)
      return [...found].map(([match]) => `${name}: ${match}`)
    })
}

/** I6: no answer to a tenant ever named what is another's. */
export async function checkTenants(world: World, tenants: readonly Tenant[]): Promise<string[]> {
  const { rows } = await sql<{ tenant_id: string; id: string }>`
    SELECT tenant_id, borrower_id AS id FROM borrowers
    UNION ALL SELECT tenant_id, facility_id FROM facilities
    UNION ALL SELECT tenant_id, draw_id FROM draws
    UNION ALL SELECT tenant_id, repayment_id FROM repayments
    UNION ALL SELECT tenant_id, webhook_id FROM webhooks
    UNION ALL SELECT tenant_id, event_id FROM events
    UNION ALL SELECT tenant_id, signature_id FROM signatures`.execute(world.db)
  const ownerOf = new Map(rows.map((row) => [row.id, row.tenant_id]))
  return tenants.flatMap(({ id: tenantId, name, seen }) =>
    [...seen]
      .filter((id) => (ownerOf.get(id) ?? tenantId) !== tenantId)
      .map((id) => `${name} was shown ${id}, which is not its own`),
  )
}

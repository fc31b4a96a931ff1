import { randomUUID } from 'node:crypto'
import type { Tenant } from './tenant.ts'

const BORROWER = { type: 'individual', kyc_attested: true, residency_country: 'US' } as const
const STATES = ['CA', 'NY', 'TX', 'FL'] as const

/**
 * Fifty times the same request at once under one key, and two hundred different ones under another.
 * What they were answered is in the log, where the verdict checks for more than one effect.
 */
export async function storm({ hastyClient }: Tenant): Promise<void> {
  const [same, different] = [randomUUID(), randomUUID()]
  const send = (key: string, index: number) =>
    hastyClient
      .request('POST', '/v1/borrowers', {
        idempotencyKey: key,
        body: {
          ...BORROWER,
          residency_state: STATES[index % STATES.length],
          kyc_attested: index < 100,
        },
      })
      .catch(() => undefined)
  await Promise.all([
    ...Array.from({ length: 50 }, () => send(same, 0)),
    ...Array.from({ length: 200 }, (_, index) => send(different, index)),
  ])
}

import type { Tx } from '../../db/database.ts'
import { upsertSandboxProvider } from './queries.ts'

export const SANDBOX_ANSWERS = ['fail', 'delay', 'succeed'] as const

export type SandboxAnswer = (typeof SANDBOX_ANSWERS)[number]

export async function setSandboxAnswer(
  tx: Tx,
  tenantId: string,
  provider: 'custodian' | 'payments',
  next: SandboxAnswer,
): Promise<void> {
  await upsertSandboxProvider(tx, { tenant_id: tenantId, provider, next })
}

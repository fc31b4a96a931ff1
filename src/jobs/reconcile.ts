import { MINUTE_MS } from '../core/time.ts'
import { reconcileDue } from '../domain/reconciliation/reconcile.ts'
import type { JobContext } from './job-context.ts'
import { repeat } from './repeat.ts'

/** Days that have ended are found each minute: a provider may have answered `pending`, and a sandbox clock
 * may leap. */
export async function runReconciliation(stop: AbortSignal, context: JobContext): Promise<void> {
  const { db, payments, custodian, instant, logger, config } = context
  const isSandbox = config.stack === 'sandbox'
  const run = async () => {
    const days = await reconcileDue({ db, payments, custodian, instant, isSandbox }, stop)
    if (days > 0) logger.info({ days }, 'days reconciled')
  }
  const onError = (error: unknown) => logger.error({ err: error }, 'reconciliation failed')
  await repeat(stop, () => MINUTE_MS, run, onError)
}

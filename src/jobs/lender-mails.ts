import { SECOND_MS } from '../core/time.ts'
import { mailLenderPeople } from '../domain/mails/account-mails.ts'
import type { JobContext } from './job-context.ts'
import { repeat } from './repeat.ts'

/** Mails to the lender's people, which belong to no tenant and so are no work. */
export async function runLenderMails(stop: AbortSignal, context: JobContext): Promise<void> {
  const onError = (error: unknown) => context.logger.error({ err: error }, 'a mail was not sent')
  await repeat(
    stop,
    () => 5 * SECOND_MS,
    () => mailLenderPeople(context),
    onError,
  )
}

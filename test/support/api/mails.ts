import { expect } from 'vitest'
import { createWorkHandlers } from '../../../src/jobs/work/work-handlers.ts'
import { addEvents, answered, claimAt, recordAt } from '../deliveries/deliveries.ts'
import { runDueWork } from '../deliveries/due-work.ts'
import type { MailServer } from '../servers/mail-server.ts'
import type { TestApi } from './api.ts'
import type { SignedIn } from './console.ts'

const TOPICS = ['mail-failure', 'mail-person'] as const

/** What a worker does about mails that are due now. Returns how many runs there were. */
export function sendDueMails(api: TestApi): Promise<number> {
  const rest = { lanes: undefined as never, work: { wake: () => undefined } }
  const handlers = createWorkHandlers({ ...api.resources, ...rest })
  const runs = TOPICS.flatMap((topic) => {
    const handler = handlers.get(topic)
    return handler && 'run' in handler ? [[topic, handler.run] as const] : []
  })
  return runDueWork(api.db, new Map(runs), api.resources.clock)
}

/** So many attempts fail, at the same time. */
export async function failAttempts(
  { db, resources: { clock } }: TestApi,
  webhook: { tenantId: string; webhookId: string },
  times: number,
): Promise<void> {
  await addEvents(db, webhook.tenantId, times)
  const now = clock()
  const claimed = await claimAt(db, webhook, { limit: times, deadlineMs: 15_000, now })
  expect(claimed).toHaveLength(times)
  const attempts = claimed.map((delivery) => ({
    ...{ delivery, endedAt: now },
    outcome: answered(500),
  }))
  await recordAt(db, webhook, attempts, now)
}

export function mailsTo({ mails }: MailServer, address: string): string[] {
  return mails.filter(({ to }) => to.includes(address)).map(({ source }) => source)
}

/** The token of the newest link in the mailbox that confirms its address. */
export function confirmationTokenFor(server: MailServer, address: string): string {
  const tokens = mailsTo(server, address).map((source) => /#confirm=(?:3D)?(\S+)/.exec(source)?.[1])
  const token = tokens.findLast((found) => found !== undefined)
  if (token === undefined) throw new Error(`no link was mailed to ${address}`)
  return token
}

/** Asks for mails about failures and opens the link that is mailed for it. */
export async function askForMails(
  api: TestApi,
  server: MailServer,
  person: SignedIn,
): Promise<{ address: string }> {
  const body = { failure_mails: true }
  expect((await person.send('PUT', '/console/api/notifications', { body })).status).toBe(200)
  await sendDueMails(api)
  const { email: address } = (await person.send('GET', '/console/api/address')).json()
  const token = confirmationTokenFor(server, address)
  const confirmed = await person.send('POST', '/console/api/address/confirmation', {
    body: { token },
  })
  expect(confirmed.status).toBe(204)
  return { address }
}

import { addMs, DAY_MS, HOUR_MS } from '../../core/time.ts'

/** A webhook that fails for a day is no news every minute. */
export const WEBHOOK_EVERY_MS = HOUR_MS

/** Mails to one person, about all webhooks. */
export const MOST_A_DAY = 10

/** More webhooks wait for the next mail. */
const MOST_IN_A_MAIL = 20

/** One that was reserved, and may not be sent yet. */
export type RecentMail = { reservedAt: Date; webhookIds: readonly string[] }

export type NextMail =
  | { kind: 'none' }
  | { kind: 'mail'; webhookIds: readonly string[] }
  | { kind: 'wait'; until: Date }

/** One mail a webhook and hour, and ten a person and day: what comes in between is in the next one.
 * `waiting`: webhooks that no mail is about yet, the first to fail first. `recent`: the person's mails of
 * the last 24 hours, in any order. */
export function planNextMail(
  { waiting, recent }: { waiting: readonly string[]; recent: readonly RecentMail[] },
  now: Date,
): NextMail {
  if (waiting.length === 0) return { kind: 'none' }
  const oldestThatCounts = recent
    .map(({ reservedAt }) => reservedAt.getTime())
    .sort((a, b) => b - a)[MOST_A_DAY - 1]
  const dayFrom = oldestThatCounts === undefined ? now.getTime() : oldestThatCounts + DAY_MS
  const from = waiting.map((webhookId) => ({ webhookId, at: freeAt(webhookId, recent, now) }))
  const until = Math.max(dayFrom, Math.min(...from.map(({ at }) => at)))
  if (until > now.getTime()) return { kind: 'wait', until: new Date(until) }
  const free = from.filter(({ at }) => at <= now.getTime())
  return { kind: 'mail', webhookIds: free.slice(0, MOST_IN_A_MAIL).map((each) => each.webhookId) }
}

function freeAt(webhookId: string, recent: readonly RecentMail[], now: Date): number {
  const about = recent.filter(({ webhookIds }) => webhookIds.includes(webhookId))
  return Math.max(
    now.getTime(),
    ...about.map(({ reservedAt }) => addMs(reservedAt, WEBHOOK_EVERY_MS).getTime()),
  )
}

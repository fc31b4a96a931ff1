import type { WebhookEvent } from '../../client/resources/resources.ts'
import type { Report } from '../../command-line/text.ts'
import { harmless } from '../../command-line/text.ts'
import { bad, bold, dim, good } from '../terminal.ts'
import type { Forwarded } from './forward.ts'

export function formatEvent(
  event: WebhookEvent,
  { how, forwarded, attempt }: { how: string; forwarded?: Forwarded | undefined; attempt?: number },
): Report {
  const came = [
    how,
    `#${event.sequence}`,
    ...(attempt !== undefined && attempt > 1 ? [`attempt ${attempt}`] : []),
  ].join(', ')
  const head = `${dim(event.occurred_at)}  ${bold(event.type)}  ${event.resource.id} ${dim(`(${came})`)}`
  const text = `${head}${showForwarded(forwarded)}\n    ${dim(harmless(JSON.stringify(event.data)))}`
  return {
    data: { event, how, ...(attempt && { attempt }), ...(forwarded && { forwarded }) },
    text,
  }
}

function showForwarded(forwarded: Forwarded | undefined): string {
  if (forwarded === undefined) return ''
  const { ok, status, error, duration_ms } = forwarded
  return ` → ${(ok ? good : bad)(String(status ?? error))} ${dim(`in ${duration_ms} ms`)}`
}

import type { Command } from 'commander'
import type { EventPage } from '../../client/resources/resources.ts'
import { FaultReported } from '../../command-line/program.ts'
import {
  type CommonOptions,
  defineCommand,
  openSession,
  readWhole,
  type Session,
} from '../define-command.ts'
import { formatEvent } from '../listen/format-event.ts'
import { createForwarder, type Forward } from '../listen/forward.ts'
import { newLocalSecret, readGivenSecret, readKeptSecret } from '../listen/webhook-secret.ts'
import type { SvcIo } from '../svc-io.ts'
import { dim } from '../terminal.ts'

type ReplayOptions = CommonOptions & {
  from?: string
  limit?: number
  forward?: string
  secret?: string
}

export function addReplayCommand(program: Command, io: SvcIo): void {
  defineCommand(program, 'replay [webhook_id]', 'print past events, and post them again', [
    'replay',
    'replay whk_… --from q83vASNFZ4mrze8BNw',
    'replay --forward http://localhost:4000/webhooks --secret whsec_…',
  ])
    .alias('events')
    .option('--from <cursor>', 'go on where an earlier replay ended')
    .option('--limit <number>', 'so many at most', readWhole('--limit'))
    .option('--forward <url>', 'post each, signed as deliveries are')
    .option(
      '--secret <whsec>',
      'to sign them with (SVC_WEBHOOK_SECRET); else the kept one, or one made up',
    )
    .action(async (webhookId: string | undefined, options: ReplayOptions) => {
      const session = openSession(io, options)
      const { output } = session
      const forward = chooseForward(session, options)
      const { isWell, next } = await replay(session, { ...options, webhookId, forward })
      const how = next === undefined ? 'at the first event' : `with --from ${next}`
      output.line({ data: { next_cursor: next }, text: dim(`Goes on ${how}`) })
      if (!isWell) throw new FaultReported()
    })
}

function chooseForward(
  { credentials, output, io }: Session,
  { forward, secret: given }: ReplayOptions,
): Forward | undefined {
  if (forward === undefined) return undefined
  const secret = readGivenSecret(given, io.env) ?? readKeptSecret(credentials)
  if (secret !== undefined) return createForwarder(forward, secret)
  const made = newLocalSecret()
  output.line({ data: { secret: made }, text: `They are signed with ${made}` })
  return createForwarder(forward, made)
}

/** Ends at the first event that the receiver refuses, or on Ctrl-C; `next` continues from there. */
async function replay(
  { client, output, io }: Session,
  options: Pick<ReplayOptions, 'from' | 'limit'> & {
    webhookId: string | undefined
    forward: Forward | undefined
  },
): Promise<{ isWell: boolean; next: string | undefined }> {
  const { webhookId, forward, limit = Number.POSITIVE_INFINITY } = options
  const signal = io.takeInterruption()
  let { from } = options
  try {
    for (let left = limit; ; ) {
      const query = { limit: Math.min(left, 500), ...(from !== undefined && { from }) }
      const page: EventPage = await (webhookId === undefined
        ? client.listEvents(query, { signal })
        : client.replayEvents(webhookId, query, { signal }))
      for (const event of page.items) {
        signal.throwIfAborted()
        const forwarded = await forward?.(event)
        output.line(formatEvent(event, { how: 'from the log', forwarded }))
        if (forwarded?.ok === false) return { isWell: false, next: from }
      }
      left -= page.items.length
      if (!page.has_more || left <= 0) return { isWell: true, next: page.next_cursor }
      from = page.next_cursor
    }
  } catch (error) {
    if (!signal.aborted) throw error
    return { isWell: false, next: from }
  }
}

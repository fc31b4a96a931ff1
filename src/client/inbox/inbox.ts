import type { Client } from '../client.ts'
import type { EventPage, WebhookEvent } from '../resources/resources.ts'
import { deliveredBody } from '../verify-chain.ts'
import { type ReceivedHeaders, verifyWebhook, type WebhookRefusal } from '../verify-webhook.ts'
import { waitFor } from '../wait.ts'
import { findAppliedSequence, findReady, findReasonToRead, retryAfterSeconds } from './order.ts'
import type { InboxState, InboxStore, OpenInbox, ReceivedEvent, WaitingEvent } from './store.ts'

/** A person should know of these. Nothing is lost by any of these but a refused delivery. */
export type InboxIncident =
  /** A delivery that is not genuine, or not an event. It was answered 400. */
  | { kind: 'refused'; reason: WebhookRefusal }
  /** A test event of the sandbox. It was answered 204, and is never applied. */
  | { kind: 'simulated'; event: WebhookEvent }
  /** `apply` threw. The event holds up its resource until it succeeds. */
  | { kind: 'failed'; event: WebhookEvent; error: unknown; attempts: number; retryAt: Date }
  /** A version that its resource has left behind: not applied. */
  | { kind: 'stale'; event: WebhookEvent }
  /** Numbers that have not arrived in time: the replay is read. */
  | { kind: 'gap'; from: number; to: number }
  /** The store or the service could not be used. It is tried again. */
  | { kind: 'unavailable'; error: unknown }

export type InboxOptions<Tx> = {
  /** Under this name the store keeps the inbox. It stays when the webhook is replaced. */
  name: string
  webhookId: string
  /** Every secret that is accepted: two while the secret is replaced. */
  secrets: string | readonly string[]
  client: Pick<Client, 'getWebhook' | 'replayEvents'>
  store: InboxStore<Tx>
  /**
   * Applies an event, once and in the order of its resource. Write with `tx`: it commits together
   * with the record that the event was applied. What is thrown rolls it back, to be tried again.
   */
  apply: (event: WebhookEvent, tx: Tx) => Promise<void> | void
  report?: (incident: InboxIncident) => void
  /** How long a number may be missing before the replay is read. */
  gapSeconds?: number
  /** How often the replay is read in any case: what no later event shows to be missing. */
  readSeconds?: number
  toleranceSeconds?: number
  now?: () => Date
}

export type Delivered = { rawBody: Uint8Array | string; headers: ReceivedHeaders }

export type Inbox = {
  /**
   * Verifies a delivery and keeps its event. Resolves to the status to answer: 204, also for one that is
   * known, or 400. Rejects when the store cannot be used: answer 503, and the delivery comes again.
   */
  receive(delivery: Delivered): Promise<204 | 400>
  /** Applies what is ready, and reads the replay if that is due. */
  tick(signal?: AbortSignal): Promise<void>
  /** Ticks at each delivery and every second, until `signal` aborts. Several processes may run it. */
  run(signal: AbortSignal): Promise<void>
  /** The highest number up to which every event of the webhook is applied. */
  appliedSequence(): Promise<number>
}

const PAGE = 500
const PAUSE_MS = 1_000

export function createInbox<Tx>(options: InboxOptions<Tx>): Inbox {
  const { name, webhookId, client, store, report = () => undefined } = options
  const { gapSeconds = 5, readSeconds = 60, now = () => new Date() } = options
  const terms = { gapSeconds, readSeconds }
  let wake: () => void = () => undefined
  /** After a failed read the next one waits. */
  let readNotBefore = 0

  async function receive(delivery: Delivered): Promise<204 | 400> {
    try {
      return await keep(delivery)
    } catch (error) {
      report({ kind: 'unavailable', error })
      throw error
    }
  }

  async function keep({ rawBody, headers }: Delivered): Promise<204 | 400> {
    const verdict = verifyWebhook({
      rawBody,
      headers,
      secret: options.secrets,
      now: now(),
      ...(options.toleranceSeconds !== undefined && {
        toleranceSeconds: options.toleranceSeconds,
      }),
    })
    if (!verdict.ok) return refuse(verdict.reason)
    const { event } = verdict
    if (event.sequence === 0) {
      report({ kind: 'simulated', event })
      return 204
    }
    const text = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody)
    const received = toReceived(event, text)
    if (!received) return refuse('body_not_an_event')
    await store.add(name, [received], now())
    wake()
    return 204
  }

  function refuse(reason: WebhookRefusal): 400 {
    report({ kind: 'refused', reason })
    return 400
  }

  /** Applies one event, if one is ready; resolves to what is left otherwise. */
  async function applyNext(): Promise<'applied' | Resting> {
    let current: { event: WebhookEvent; waiting: WaitingEvent } | undefined
    try {
      return await store.transact(name, async (open) => {
        const state = await advance(open)
        const waiting = await open.listWaiting()
        const next = findReady(waiting, state, now())
        if (next) {
          const event: WebhookEvent = JSON.parse(await open.readBody(next.sequence))
          if (next.version <= next.appliedVersion) report({ kind: 'stale', event })
          else {
            current = { event, waiting: next }
            await options.apply(event, open.tx)
          }
          await open.markApplied(next)
        }
        const left = waiting.filter((event) => event !== next)
        const appliedSequence = findAppliedSequence(left, state)
        const hasMoved =
          appliedSequence !== open.state.appliedSequence ||
          state.completeSequence !== open.state.completeSequence
        if (hasMoved) await open.save({ ...state, appliedSequence })
        return next
          ? 'applied'
          : { state, missing: await open.findAbove(state.completeSequence ?? 0) }
      })
    } catch (error) {
      if (!current) throw error
      await noteFailure(current, error)
      return 'applied'
    }
  }

  async function noteFailure(
    { event, waiting }: { event: WebhookEvent; waiting: WaitingEvent },
    error: unknown,
  ): Promise<void> {
    const attempts = waiting.attempts + 1
    const retryAt = new Date(now().getTime() + retryAfterSeconds(attempts) * 1_000)
    await store.transact(name, (open) =>
      open.noteFailure(waiting.sequence, { attempts, retryAt, error: describe(error) }),
    )
    report({ kind: 'failed', event, error, attempts, retryAt })
  }

  async function applyReady(signal?: AbortSignal): Promise<Resting> {
    for (;;) {
      signal?.throwIfAborted()
      const done = await applyNext()
      if (done !== 'applied') return done
    }
  }

  /** From where the replay was read last up to its end, page by page. */
  async function read(signal?: AbortSignal): Promise<void> {
    for (;;) {
      const state = await store.transact(name, async (open) => open.state)
      const reading = state.webhookId ?? webhookId
      const call = signal ? { signal } : {}
      const seesGaps =
        state.seesGaps ?? (await client.getWebhook(reading, call)).event_types.length === 0
      const query = { limit: PAGE, ...(state.cursor !== undefined && { from: state.cursor }) }
      const page = await client.replayEvents(reading, query, call)
      const readFrom = { ...state, webhookId: reading, seesGaps }
      const isEnd = await store.transact(name, (open) => keepPage(open, readFrom, page))
      await applyReady(signal)
      if (isEnd) return
    }
  }

  /** True at the end of the webhook's replay, and when another process has read this page already. */
  async function keepPage(
    open: OpenInbox<Tx>,
    readFrom: InboxState,
    { items, next_cursor: cursor, has_more }: EventPage,
  ): Promise<boolean> {
    const { state } = open
    if (state.webhookId !== undefined && state.webhookId !== readFrom.webhookId) return true
    if (state.cursor !== readFrom.cursor) return true
    const received = items.flatMap((event) => toReceived(event, deliveredBody(event)) ?? [])
    await open.add(received, now())
    const [first, last] = [items[0], items.at(-1)]
    const start = first ? first.sequence - 1 : undefined
    const complete = state.completeSequence ?? start
    const next: InboxState = {
      webhookId: readFrom.webhookId,
      cursor,
      seesGaps: readFrom.seesGaps,
      // Without all types, only the replay shows that there is nothing between two numbers.
      completeSequence:
        readFrom.seesGaps || complete === undefined
          ? complete
          : Math.max(complete, last?.sequence ?? 0),
      appliedSequence: Math.max(
        state.appliedSequence,
        state.completeSequence === undefined ? (start ?? 0) : 0,
      ),
      readAt: has_more ? state.readAt : now(),
    }
    // The earlier webhook has been read to its end: what follows is in the replay of the new one.
    const isReplaced = !has_more && readFrom.webhookId !== webhookId
    await open.save(
      isReplaced
        ? { ...next, webhookId, cursor: undefined, seesGaps: undefined, readAt: state.readAt }
        : next,
    )
    return !has_more && !isReplaced
  }

  async function tick(signal?: AbortSignal): Promise<void> {
    const { state, missing } = await applyReady(signal)
    const isReplaced = state.webhookId !== undefined && state.webhookId !== webhookId
    const reason = findReasonToRead(state, missing?.since, terms, now())
    if (!isReplaced && reason === undefined) return
    if (now().getTime() < readNotBefore) return
    if (reason === 'gap' && missing && state.seesGaps && state.completeSequence !== undefined) {
      report({ kind: 'gap', from: state.completeSequence + 1, to: missing.sequence - 1 })
    }
    readNotBefore = now().getTime() + gapSeconds * 1_000
    await read(signal)
    readNotBefore = 0
  }

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      try {
        await tick(signal)
      } catch (error) {
        if (!signal.aborted) report({ kind: 'unavailable', error })
      }
      const rested = new AbortController()
      const pause = waitFor(PAUSE_MS, AbortSignal.any([signal, rested.signal]))
      await Promise.race([woken, pause.catch(() => undefined)])
      rested.abort()
    }
  }

  const appliedSequence = () => store.transact(name, async (open) => open.state.appliedSequence)
  return { receive, tick, run, appliedSequence }
}

type Resting = { state: InboxState; missing: { sequence: number; since: Date } | undefined }

/** Counts what has arrived without a gap. */
async function advance<Tx>(open: OpenInbox<Tx>): Promise<InboxState> {
  const { state } = open
  if (!state.seesGaps || state.completeSequence === undefined) return state
  return { ...state, completeSequence: await open.findEndOfRun(state.completeSequence) }
}

/** Undefined for what lacks the members by which an inbox orders. */
function toReceived(event: WebhookEvent, body: string): ReceivedEvent | undefined {
  const { id, sequence, resource_version: version, resource } = event as Partial<WebhookEvent>
  const isCounted = [sequence, version].every((count) => Number.isSafeInteger(count) && count !== 0)
  if (!isCounted || sequence === undefined || version === undefined) return undefined
  if (typeof id !== 'string' || typeof resource?.type !== 'string') return undefined
  if (typeof resource.id !== 'string' || sequence < 0 || version < 0) return undefined
  return { sequence, id, resource: `${resource.type}/${resource.id}`, version, body }
}

/** PostgreSQL's text takes no NUL. */
function describe(error: unknown): string {
  return String(error).replaceAll('\0', '').slice(0, 1_000)
}

import type {
  Failure,
  InboxState,
  InboxStore,
  OpenInbox,
  ReceivedEvent,
  WaitingEvent,
} from './store.ts'

type Kept = ReceivedEvent & {
  receivedAt: Date
  isApplied: boolean
  failure?: Failure
}

type Inbox = {
  state: InboxState
  events: Map<number, Kept>
  versions: Map<string, number>
  last: Promise<unknown>
}

/**
 * Forgets everything when the process ends: the inbox then applies the whole replay again. For tests,
 * and for receivers that keep what they apply in memory too.
 */
export function createMemoryStore(): InboxStore<undefined> {
  const inboxes = new Map<string, Inbox>()
  const find = (name: string): Inbox => {
    const found = inboxes.get(name)
    if (found) return found
    const state = { appliedSequence: 0 }
    const made = { state, events: new Map(), versions: new Map(), last: Promise.resolve() }
    inboxes.set(name, made)
    return made
  }
  return {
    add: async (name, events, receivedAt) => keep(find(name), events, receivedAt),
    async transact(name, run) {
      const inbox = find(name)
      const running = inbox.last.then(() => run(openInbox(inbox)))
      inbox.last = running.catch(() => undefined)
      return await running
    },
  }
}

function keep(inbox: Inbox, events: readonly ReceivedEvent[], receivedAt: Date): number {
  const ids = new Set([...inbox.events.values()].map(({ id }) => id))
  const added = events.filter(({ sequence, id }) => {
    const isNew = sequence > inbox.state.appliedSequence && !inbox.events.has(sequence)
    return isNew && !ids.has(id)
  })
  for (const event of added) {
    inbox.events.set(event.sequence, { ...event, receivedAt, isApplied: false })
  }
  return added.length
}

function openInbox(inbox: Inbox): OpenInbox<undefined> {
  const { events, versions } = inbox
  const above = (sequence: number) =>
    [...events.values()].filter((event) => event.sequence > sequence)
  return {
    tx: undefined,
    state: inbox.state,
    async add(received, receivedAt) {
      keep(inbox, received, receivedAt)
    },
    listWaiting: async () =>
      above(inbox.state.appliedSequence)
        .filter(({ isApplied }) => !isApplied)
        .map((event) => toWaiting(event, versions.get(event.resource) ?? 0))
        .sort((left, right) => left.sequence - right.sequence),
    readBody: async (sequence) => events.get(sequence)?.body ?? '',
    async findEndOfRun(sequence) {
      let end = sequence
      while (events.has(end + 1)) end += 1
      return end
    },
    async findAbove(sequence) {
      const found = above(sequence)
      if (found.length === 0) return undefined
      const since = Math.min(...found.map(({ receivedAt }) => receivedAt.getTime()))
      return {
        sequence: Math.min(...found.map((event) => event.sequence)),
        since: new Date(since),
      }
    },
    async markApplied({ sequence, resource, version }) {
      const event = events.get(sequence)
      if (event) event.isApplied = true
      versions.set(resource, Math.max(version, versions.get(resource) ?? 0))
    },
    async noteFailure(sequence, failure) {
      const event = events.get(sequence)
      if (event) event.failure = failure
    },
    async save(state) {
      inbox.state = state
      for (const sequence of events.keys()) {
        if (sequence <= state.appliedSequence) events.delete(sequence)
      }
    },
  }
}

function toWaiting(event: Kept, appliedVersion: number): WaitingEvent {
  const { sequence, resource, version, failure } = event
  const { attempts = 0, retryAt } = failure ?? {}
  return { sequence, resource, version, appliedVersion, attempts, retryAt }
}

/** The state of an inbox between two events. Numbers are sequences of the tenant's log. */
export type InboxState = {
  /** The webhook that `cursor` belongs to. */
  webhookId?: string | undefined
  /** The next page of the webhook's replay begins there; absent: with its first event. */
  cursor?: string | undefined
  /** The webhook has every event, so that a missing number is a missing event. */
  seesGaps?: boolean | undefined
  /** Every event of the webhook up to here was received. Unknown before the first page with an event. */
  completeSequence?: number | undefined
  /** Every event of the webhook up to here was applied. */
  appliedSequence: number
  /** When the replay was last read to its end. */
  readAt?: Date | undefined
}

export type ReceivedEvent = {
  sequence: number
  id: string
  /** Type and id, such as `borrower/bor_…`. */
  resource: string
  version: number
  /** The event's JSON text. */
  body: string
}

/** An event that is received and not applied. */
export type WaitingEvent = Pick<ReceivedEvent, 'sequence' | 'resource' | 'version'> & {
  /** The last version of its resource that was applied; 0 for none. */
  appliedVersion: number
  attempts: number
  retryAt?: Date | undefined
}

export type Failure = { attempts: number; retryAt: Date; error: string }

/** An inbox that no other process changes meanwhile. */
export type OpenInbox<Tx> = {
  /** Given to `apply`: the transaction in which the inbox records that it ran. */
  tx: Tx
  state: InboxState
  add(events: readonly ReceivedEvent[], receivedAt: Date): Promise<void>
  /** Received and not applied, by sequence. */
  listWaiting(): Promise<WaitingEvent[]>
  readBody(sequence: number): Promise<string>
  /** The last number of those received that follow `sequence` without a gap; `sequence` for none. */
  findEndOfRun(sequence: number): Promise<number>
  /** The lowest number received above `sequence`, and when the first of those arrived. */
  findAbove(sequence: number): Promise<{ sequence: number; since: Date } | undefined>
  markApplied(event: Pick<WaitingEvent, 'sequence' | 'resource' | 'version'>): Promise<void>
  noteFailure(sequence: number, failure: Failure): Promise<void>
  /** Forgets the events up to `appliedSequence` too. */
  save(state: InboxState): Promise<void>
}

/** Keeps inboxes by their names. A receiver may implement it over a store of its own. */
export type InboxStore<Tx> = {
  /**
   * Keeps events durably, each once: an event is known by its id and its number, and all up to
   * `appliedSequence` are. Returns how many were new. Waits for no `transact`.
   */
  add(inbox: string, events: readonly ReceivedEvent[], receivedAt: Date): Promise<number>
  /** Runs alone for this inbox, in one transaction: when `run` throws, nothing of it stays. */
  transact<Result>(inbox: string, run: (open: OpenInbox<Tx>) => Promise<Result>): Promise<Result>
}

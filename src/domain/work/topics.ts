/** The longest pause after each failure in a row, in seconds; the last one repeats. */
const BACKOFFS = {
  /** Money or collateral waits for it. */
  prompt: [2, 4, 8, 16, 32, 60],
  usual: [2, 4, 8, 16, 32, 64, 128, 256, 512, 600],
  /** Fails by what a tenant sent, which a repetition seldom changes. */
  patient: [60, 120, 300, 900, 3_600],
} as const satisfies Record<string, readonly number[]>

type Backoff = keyof typeof BACKOFFS

/** Most urgent first. Each class has a queue and its own slots in every worker, so that slow calls of one
 * never delay another. A slot runs one subject or one batch. Ranks are stored with the work: never reuse
 * one, and leave a topic in its class. */
export const PRIORITIES = {
  /** Separate from escalations: on a crash day sales would wait until the last one is done. */
  sales: { rank: 0, slots: 8, backoff: 'prompt' },
  escalations: { rank: 1, slots: 4, backoff: 'prompt' },
  /** In the order of their instants, one at a time a tenant. */
  deadlines: { rank: 2, slots: 32, backoff: 'usual' },
  evaluations: { rank: 3, slots: 12, backoff: 'prompt' },
  payments: { rank: 4, slots: 32, backoff: 'prompt' },
  onboarding: { rank: 5, slots: 32, backoff: 'patient' },
  floors: { rank: 6, slots: 32, backoff: 'prompt' },
  /** A quarter of the calls to the custodian; the rest serves floors and sales. */
  readings: { rank: 7, slots: 8, backoff: 'prompt' },
  /** Advances of sandbox clocks: few and long. */
  clocks: { rank: 8, slots: 16, backoff: 'usual' },
  /** Short steps beside the deliveries. */
  webhooks: { rank: 9, slots: 4, backoff: 'usual' },
} as const satisfies Record<string, { rank: number; slots: number; backoff: Backoff }>

export type Priority = keyof typeof PRIORITIES

type TopicRow = {
  clock: 'real' | 'tenant'
  /** Topics on the tenant's clock have the priority `deadlines`, and no others. */
  priority: Priority
  /** Where it is not that of the class. */
  backoff?: Backoff
  /** Subjects of one tenant in one run; default one. */
  batch?: number
  /** Once, at the end, when a sandbox clock passes several of its instants. */
  onceALeap?: true
}

/** A new kind of work is a row here and a handler in `jobs/` or `process/deadline-handlers.ts`. */
export const TOPICS = {
  'sell-collateral': { clock: 'real', priority: 'sales', batch: 16 },
  'escalate-warning': { clock: 'real', priority: 'escalations', batch: 100 },
  'confirm-push': { clock: 'real', priority: 'escalations', batch: 100 },
  // What leads to an escalation or a floor does not wait longer than they do.
  'evaluate-facility': { clock: 'tenant', priority: 'deadlines', backoff: 'prompt' },
  'evaluate-tenant': { clock: 'tenant', priority: 'deadlines', backoff: 'prompt' },
  'amend-facility': { clock: 'tenant', priority: 'deadlines', backoff: 'prompt' },
  'expire-repayment': { clock: 'tenant', priority: 'deadlines' },
  'receipt-final': { clock: 'tenant', priority: 'deadlines' },
  'decide-facility': { clock: 'tenant', priority: 'deadlines' },
  'refresh-floor': { clock: 'tenant', priority: 'deadlines', backoff: 'prompt', onceALeap: true },
  'recheck-push': { clock: 'tenant', priority: 'deadlines', backoff: 'prompt', onceALeap: true },
  'accrue-interest': { clock: 'tenant', priority: 'deadlines' },
  'advance-clock': { clock: 'real', priority: 'clocks' },
  'evaluate-after-price': { clock: 'real', priority: 'evaluations', batch: 50 },
  'evaluate-after-collateral': { clock: 'real', priority: 'evaluations', batch: 50 },
  'evaluate-after-repayment': { clock: 'real', priority: 'evaluations', batch: 50 },
  'evaluate-after-correction': { clock: 'real', priority: 'evaluations', batch: 50 },
  'release-draw': { clock: 'real', priority: 'payments' },
  'confirm-repayment': { clock: 'real', priority: 'payments', backoff: 'patient' },
  'pay-refund': { clock: 'real', priority: 'payments' },
  'check-payment': { clock: 'real', priority: 'payments' },
  'evaluate-borrower': { clock: 'real', priority: 'onboarding' },
  'underwrite-facility': { clock: 'real', priority: 'onboarding' },
  'release-lien': { clock: 'real', priority: 'floors' },
  'push-floor': { clock: 'real', priority: 'floors' },
  'read-positions-alone': { clock: 'real', priority: 'floors' },
  'read-for-write-off': { clock: 'real', priority: 'floors' },
  'apply-portfolio-source': { clock: 'real', priority: 'floors' },
  'recover-webhook': { clock: 'real', priority: 'webhooks' },
  'mail-failure': { clock: 'real', priority: 'webhooks', backoff: 'patient' },
  'mail-person': { clock: 'real', priority: 'webhooks', backoff: 'patient' },
  'read-positions': { clock: 'real', priority: 'readings', batch: 500 },
  'check-push': { clock: 'real', priority: 'readings', batch: 500 },
} as const satisfies Record<string, TopicRow>

export type Topic = keyof typeof TOPICS

export type DeadlineTopic = {
  [T in Topic]: (typeof TOPICS)[T]['clock'] extends 'tenant' ? T : never
}[Topic]

export type WorkTopic = Exclude<Topic, DeadlineTopic>

export function topicRow(topic: Topic): TopicRow {
  return TOPICS[topic]
}

export function isOnceALeap(topic: DeadlineTopic): boolean {
  return topicRow(topic).onceALeap ?? false
}

export function rankOf(topic: Topic): number {
  return PRIORITIES[TOPICS[topic].priority].rank
}

/** The pause after a run that has failed so many times before. */
export function backoffSeconds(topic: Topic, failures: number): number {
  const { priority, backoff = PRIORITIES[priority].backoff } = topicRow(topic)
  const pauses: readonly number[] = BACKOFFS[backoff]
  return pauses[failures] ?? pauses.at(-1) ?? 0
}

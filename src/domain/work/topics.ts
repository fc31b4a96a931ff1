/**
 * Classes of work, most urgent first. Each has slots of its own in every worker, so that slow calls
 * of one class never keep another waiting; a claim takes the classes in this order. A slot is a run
 * of one subject or of one batch. Ranks are stored with the work: never give one a new meaning.
 */
export const PRIORITIES = {
  /** Apart from escalations: on a crash day a sale would wait until the last warning has escalated. */
  sales: { rank: 0, slots: 32 },
  escalations: { rank: 1, slots: 32 },
  /** Run in the order of their instants, one at a time a tenant. */
  deadlines: { rank: 2, slots: 32 },
  /** Transactions of ours without any call to a provider. */
  evaluations: { rank: 3, slots: 64 },
  payments: { rank: 4, slots: 32 },
  onboarding: { rank: 5, slots: 32 },
  floors: { rank: 6, slots: 32 },
  /** Half of the connections to the custodian: the rest is left for floors and sales. */
  readings: { rank: 7, slots: 8 },
} as const

export type Priority = keyof typeof PRIORITIES

type TopicRow = {
  /** What `due_at` is measured by: real time, or the clock of the tenant. */
  clock: 'real' | 'tenant'
  /** Topics on the tenant's clock have the priority `deadlines`, and no others do. */
  priority: Priority
  /** So many subjects of one tenant at most are given to one run; one where it is missing. */
  batch?: number
  /** Handled once, at the end, where a sandbox clock leaps over several of its instants. */
  onceALeap?: true
}

/** Every kind of work. A new one is a row here and a handler in `jobs/` or `deadline-handlers.ts`. */
export const TOPICS = {
  'sell-collateral': { clock: 'real', priority: 'sales' },
  'escalate-warning': { clock: 'real', priority: 'escalations' },
  'evaluate-facility': { clock: 'tenant', priority: 'deadlines' },
  'evaluate-tenant': { clock: 'tenant', priority: 'deadlines' },
  'expire-repayment': { clock: 'tenant', priority: 'deadlines' },
  'decide-facility': { clock: 'tenant', priority: 'deadlines' },
  'refresh-floor': { clock: 'tenant', priority: 'deadlines', onceALeap: true },
  'advance-clock': { clock: 'real', priority: 'evaluations' },
  'evaluate-after-price': { clock: 'real', priority: 'evaluations' },
  'evaluate-after-collateral': { clock: 'real', priority: 'evaluations' },
  'evaluate-after-repayment': { clock: 'real', priority: 'evaluations' },
  'release-draw': { clock: 'real', priority: 'payments' },
  'confirm-repayment': { clock: 'real', priority: 'payments' },
  'pay-refund': { clock: 'real', priority: 'payments' },
  'evaluate-borrower': { clock: 'real', priority: 'onboarding' },
  'underwrite-facility': { clock: 'real', priority: 'onboarding' },
  'release-lien': { clock: 'real', priority: 'floors' },
  'push-floor': { clock: 'real', priority: 'floors' },
  'read-positions-alone': { clock: 'real', priority: 'floors' },
  'apply-portfolio-source': { clock: 'real', priority: 'floors' },
  'read-positions': { clock: 'real', priority: 'readings', batch: 500 },
} as const satisfies Record<string, TopicRow>

export type Topic = keyof typeof TOPICS

/** Topics whose instants are of the tenant's domain time: deadlines. */
export type DeadlineTopic = {
  [T in Topic]: (typeof TOPICS)[T]['clock'] extends 'tenant' ? T : never
}[Topic]

/** Topics that are due by real time. */
export type WorkTopic = Exclude<Topic, DeadlineTopic>

export function topicRow(topic: Topic): TopicRow {
  return TOPICS[topic]
}

/** Whether a leap of a sandbox clock handles this topic once, at its end. */
export function isOnceALeap(topic: DeadlineTopic): boolean {
  return topicRow(topic).onceALeap ?? false
}

/** What is stored with work of this topic. */
export function rankOf(topic: Topic): number {
  return PRIORITIES[TOPICS[topic].priority].rank
}

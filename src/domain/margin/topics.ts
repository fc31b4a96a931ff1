/** Deadline topic: a facility changes by itself at this instant. The subject is the facility. */
export const JUDGE_FACILITY = 'judge-facility'

/** Deadline topic: a price that was set has held long enough to count. One subject an instant. */
export const JUDGE_TENANT = 'judge-tenant'

/** Outbox topics: the custodian confirms positions before an escalation; collateral is sold. */
export const ESCALATE_WARNING = 'escalate-warning'
export const SELL_COLLATERAL = 'sell-collateral'

/** Topic of deadlines: a facility changes by itself at this instant. The subject is the facility. */
export const EVALUATE_FACILITY = 'evaluate-facility' as const

/** Topic of deadlines: a price that was set has held long enough to count. One subject an instant. */
export const EVALUATE_TENANT = 'evaluate-tenant' as const

/** Topics of work: the custodian confirms positions before an escalation; collateral is sold. */
export const ESCALATE_WARNING = 'escalate-warning' as const
export const SELL_COLLATERAL = 'sell-collateral' as const

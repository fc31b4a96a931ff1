export const EVALUATE_FACILITY = 'evaluate-facility' as const

export const EVALUATE_TENANT = 'evaluate-tenant' as const

/** Other than what is pushed counts, by an answer of some time ago. */
export const RECHECK_PUSH = 'recheck-push' as const

/** An amendment takes effect. */
export const AMEND_FACILITY = 'amend-facility' as const

export const ESCALATE_WARNING = 'escalate-warning' as const
export const SELL_COLLATERAL = 'sell-collateral' as const

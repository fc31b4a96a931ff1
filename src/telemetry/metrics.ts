import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Of the processes that one command runs, those that do not answer. Their parent sets it. */
export const PROCESSES_MISSING = {
  name: 'svc_processes_missing',
  help: 'Processes of this command, where it runs several, that did not answer when asked to count',
}

export type Metrics = ReturnType<typeof createMetrics>

const LATENCY_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

/** Without a value until one is set: a zero would be a statement that the API cannot make. */
function unknownGauge(name: string, help: string, registers: Registry[]): Gauge {
  const gauge = new Gauge({ name, help, registers })
  gauge.remove()
  return gauge
}

/** Asked with each scrape, so that it says how things are when no request comes any more. */
function readyGauge(registers: Registry[]) {
  const asked: { isReady?: () => Promise<boolean> } = {}
  new Gauge({
    name: 'svc_ready',
    help: 'Whether the process would answer /readyz with 200',
    registers,
    async collect() {
      if (asked.isReady) this.set((await asked.isReady()) ? 1 : 0)
      else this.remove()
    },
  })
  return asked
}

export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const requestsUnlogged = new Counter({
    name: 'svc_request_log_dropped_total',
    help: "Requests that are missing in their tenants' log: behind, flood, or refused",
    labelNames: ['reason'] as const,
    registers,
  })
  // From zero, so that the first is an increase.
  for (const reason of ['behind', 'flood', 'refused']) requestsUnlogged.inc({ reason }, 0)
  unknownGauge(PROCESSES_MISSING.name, PROCESSES_MISSING.help, registers)
  return {
    registry,
    readiness: readyGauge(registers),
    buildInfo: new Gauge({
      name: 'svc_build_info',
      help: 'Always 1: its labels show which release this process is',
      labelNames: ['kind', 'build'] as const,
      registers,
    }),
    clockOffset: unknownGauge(
      'svc_clock_offset_seconds',
      "How far the clock of this process is ahead of the database's",
      registers,
    ),
    requests: new Histogram({
      name: 'svc_http_request_seconds',
      help: 'Time from the request line to the end of the answer',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: LATENCY_BUCKETS,
      registers,
    }),
    refusals: new Counter({
      name: 'svc_http_refusals_total',
      help: 'Requests answered with a problem object, by its code',
      labelNames: ['code'] as const,
      registers,
    }),
    requestsUnlogged,
    logLinesDropped: new Counter({
      name: 'svc_log_lines_dropped_total',
      help: 'Lines of the log that the standard output did not take',
      registers,
    }),
    limiterFallbacks: new Counter({
      name: 'svc_rate_limit_fallbacks_total',
      help: 'Requests counted in this process because Redis did not answer',
      labelNames: ['class'] as const,
      registers,
    }),
    deliveryAttempts: new Counter({
      name: 'svc_delivery_attempts_total',
      help: 'Recorded delivery attempts by outcome: delivered, a status class, or an error',
      labelNames: ['outcome'] as const,
      registers,
    }),
    secretsShut: new Counter({
      name: 'svc_delivery_secrets_shut_total',
      help: 'Passes over webhooks that wait because no configured key decrypts their secret',
      labelNames: ['key_id'] as const,
      registers,
    }),
    deliverySeconds: new Histogram({
      name: 'svc_delivery_attempt_seconds',
      help: 'Duration of delivery attempts',
      buckets: LATENCY_BUCKETS,
      registers,
    }),
    jobs: new Histogram({
      name: 'svc_job_seconds',
      help: 'Duration of jobs',
      labelNames: ['job', 'outcome'] as const,
      buckets: LATENCY_BUCKETS,
      registers,
    }),
    priceRounds: new Counter({
      name: 'svc_price_rounds_total',
      help: 'Price rounds by asset and outcome: accepted, or why it got no new price',
      labelNames: ['asset', 'outcome'] as const,
      registers,
    }),
    custodianWaits: new Counter({
      name: 'svc_margin_custodian_waits_total',
      help: 'Escalations and sales that wait because the custodian did not answer or refused',
      labelNames: ['step'] as const,
      registers,
    }),
    invariantViolations: new Gauge({
      name: 'svc_invariant_violations',
      help: 'Violations of an invariant found by the last audit of the stack',
      labelNames: ['invariant'] as const,
      registers,
    }),
    auditUnfinished: unknownGauge(
      'svc_audit_unfinished_checks',
      'Checks of the last audit that timed out',
      registers,
    ),
    lastAudit: unknownGauge(
      'svc_last_audit_timestamp_seconds',
      'Unix time at which an audit of the stack last ended',
      registers,
    ),
    providerCalls: new Counter({
      name: 'svc_provider_calls_total',
      help: 'Calls to providers over HTTP by outcome: answered, or why there was no answer',
      labelNames: ['provider', 'operation', 'outcome'] as const,
      registers,
    }),
    providerSeconds: new Histogram({
      name: 'svc_provider_call_seconds',
      help: 'Duration of calls to providers over HTTP',
      labelNames: ['provider', 'operation'] as const,
      buckets: LATENCY_BUCKETS,
      registers,
    }),
    providerCallbacks: new Counter({
      name: 'svc_provider_callbacks_total',
      help: 'Verified callbacks of providers: accepted, duplicate, or ignored as nothing waits',
      labelNames: ['provider', 'outcome'] as const,
      registers,
    }),
    maintenanceFailed: new Gauge({
      name: 'svc_maintenance_failed',
      help: 'Whether a step of maintenance failed in the last round of this worker: 0 or 1',
      labelNames: ['step'] as const,
      registers,
    }),
    lastSweep: new Gauge({
      name: 'svc_last_sweep_timestamp_seconds',
      help: 'Unix time at which a sweep of this worker last succeeded, or at which it started',
      labelNames: ['sweep'] as const,
      registers,
    }),
    breaksOpen: new Gauge({
      name: 'svc_breaks_open',
      help: 'Differences between the books and the providers, by kind, that nobody has resolved',
      labelNames: ['kind'] as const,
      registers,
    }),
    reconciliationBehind: unknownGauge(
      'svc_reconciliation_behind_seconds',
      'How long a day that has ended has waited to be compared with the providers',
      registers,
    ),
    oldestDue: new Gauge({
      name: 'svc_oldest_due_seconds',
      help: 'How long the oldest of what is due, refused, undecided, unanswered or a break has waited in the whole stack',
      labelNames: ['kind'] as const,
      registers,
    }),
    workStuck: new Gauge({
      name: 'svc_work_stuck',
      help: 'Pieces of work, by topic, that have failed ten times or more in a row',
      labelNames: ['topic'] as const,
      registers,
    }),
    priceAccepted: new Gauge({
      name: 'svc_price_accepted_timestamp_seconds',
      help: 'Unix time at which a price of the asset was last accepted, on a stack that makes rounds',
      labelNames: ['asset'] as const,
      registers,
    }),
    unwarnedBreaches: unknownGauge(
      'svc_margin_unwarned_breaches',
      'Facilities below their floor without a warning or a margin call',
      registers,
    ),
    bookExposure: unknownGauge(
      'svc_book_exposure_usd',
      'What all facilities owe, in whole dollars, rounded down',
      registers,
    ),
    bookUndrawn: unknownGauge(
      'svc_book_undrawn_usd',
      'What borrowers could still draw within their limits, in whole dollars, rounded down',
      registers,
    ),
    bookCollateral: unknownGauge(
      'svc_book_collateral_usd',
      'Collateral of facilities that owe, after haircuts, in whole dollars, rounded down',
      registers,
    ),
    bookDeficit: unknownGauge(
      'svc_book_deficit_usd',
      'What facilities owe beyond the value of their collateral, in whole dollars, rounded down',
      registers,
    ),
    bookDeficits: unknownGauge(
      'svc_book_deficit_facilities',
      'Facilities that owe more than their collateral is worth',
      registers,
    ),
    warningsOpen: new Gauge({
      name: 'svc_margin_warnings_open',
      help: 'Open margin warnings by tier',
      labelNames: ['tier'] as const,
      registers,
    }),
    warningsUnnoticed: unknownGauge(
      'svc_margin_warnings_unnoticed',
      'Open margin warnings with a raise that has had no notice for 15 minutes',
      registers,
    ),
    callsRunning: unknownGauge(
      'svc_margin_calls_running',
      'Margin calls that have not completed',
      registers,
    ),
    oldestCall: unknownGauge(
      'svc_margin_call_oldest_seconds',
      'How long ago the oldest running margin call began; 0 without one',
      registers,
    ),
    webhooksDisabled: unknownGauge(
      'svc_webhooks_disabled',
      'Webhooks that were disabled after too many failed attempts and not deleted since',
      registers,
    ),
    providerBreaker: new Gauge({
      name: 'svc_provider_breaker_state',
      help: 'State of the circuit breaker of a provider: 0 closed, 1 trying again, 2 open',
      labelNames: ['provider'] as const,
      registers,
    }),
  }
}

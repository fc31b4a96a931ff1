import { readLastAudit } from '../../domain/audit/runs.ts'
import { formatPrice } from '../../domain/collateral/prices.ts'
import { checkLedger } from '../../domain/facilities/ledger/check-ledger.ts'
import { listEncryptionKeys } from '../../domain/operations/keys.ts'
import { readProblems } from '../../domain/operations/overview.ts'
import { listPartitions } from '../../domain/operations/partitions.ts'
import { readPriceSources } from '../../domain/operations/prices.ts'
import { listProcesses, listProviders } from '../../domain/operations/processes.ts'
import { readQueueLag } from '../../domain/operations/queue.ts'
import { listTroubledWebhooks } from '../../domain/operations/webhooks.ts'
import { listStuckWork, retryFailedWork } from '../../domain/work/stuck.ts'
import { TOPICS, type Topic } from '../../domain/work/topics.ts'
import { answerList, type CliCommand, change, list, read } from '../command/commands.ts'
import { MAY_REASON, OF_TENANT } from '../command/members.ts'
import { FIRST_PAGE } from '../command/options.ts'
import { formatItems, toMembers } from '../command/output.ts'
import { optional } from '../command/parameters.ts'

export const OPERATIONS_COMMANDS: CliCommand[] = [
  list({
    name: 'operations problems',
    about: 'List what is wrong now, the most urgent first, by the limits of the alarms.',
    examples: ['operations problems', 'operations problems --json'],
    list: async ({ db, now, retention }) =>
      await readProblems(db, { audit: await readLastAudit(db), retention }, now),
    columns: ['severity', 'kind', 'summary'],
    empty: 'Nothing is wrong.',
  }),
  list({
    name: 'operations processes',
    about: 'List the processes that have reported within the hour, with the version of each.',
    examples: ['operations processes'],
    list: async ({ db, now }) =>
      (await listProcesses(db, now)).map(
        ({ report, processId: id, isSilent: silent, ...process }) => {
          const { schema, redis, connections, keyIds } = report
          return { id, ...process, silent, schema, redis, connections, keyIds }
        },
      ),
    columns: ['kind', 'host', 'version', 'schema', 'started_at', 'reported_at', 'redis', 'silent'],
    empty: 'No process has reported within the hour.',
  }),
  read({
    name: 'operations providers',
    about: 'List the providers called over HTTP: breakers, and calls of the last five minutes.',
    examples: ['operations providers'],
    async read({ db, now }) {
      const items = listProviders(await listProcesses(db, now))
      const data = { items: items.map(toMembers) }
      if (items.length === 0) return { data, shown: 'No process calls a provider over HTTP.' }
      const shown = items.map(({ p50Ms, p95Ms, lastFailure, processes: _, ...health }) => ({
        ...{ ...health, p50: showMs(p50Ms), p95: showMs(p95Ms), last_failure: lastFailure },
      }))
      return { data, shown: formatItems(shown.map(toMembers)) }
    },
  }),
  list({
    name: 'operations keys',
    about: 'List the encryption keys by id: what each encrypts, and which processes have it.',
    examples: ['operations keys'],
    list: async ({ db, now }) => await listEncryptionKeys(db, await listProcesses(db, now)),
    columns: [
      ...['key_id', 'signing_secrets', 'stored_answers', 'encrypted_by', 'decrypted_by'],
      'missing_in',
    ],
    empty: 'No key is in use, and no process has reported one.',
  }),
  read({
    name: 'operations queue',
    about: 'Show how much work and how many deliveries wait, and for how long the oldest has.',
    examples: ['operations queue'],
    async read({ db, now }) {
      const { classes, deliveries, ...lag } = await readQueueLag(db, now)
      const inSeconds = <Waiting extends { oldestMs: number }>({ oldestMs, ...one }: Waiting) => ({
        ...one,
        oldest_seconds: Math.round(oldestMs) / 1_000,
      })
      const waiting = { classes: classes.map(inSeconds), deliveries: inSeconds(deliveries) }
      return { data: { ...toMembers(lag), ...waiting } }
    },
  }),
  list({
    name: 'operations webhooks',
    about: 'List the webhooks of all tenants that fail or are disabled.',
    examples: ['operations webhooks', 'operations webhooks --trouble disabled'],
    takes: {
      trouble: optional('--trouble <kind>', 'one kind', ['failing', 'disabled'] as const),
      tenantId: OF_TENANT,
    },
    list: async ({ db, now }, filter) =>
      (await listTroubledWebhooks(db, filter, FIRST_PAGE, now)).items.map(
        ({ tenantName: _, ...webhook }) => webhook,
      ),
    columns: [
      ...['tenant_id', 'webhook_id', 'origin', 'state', 'failed_attempts', 'oldest_due_at'],
      'last_attempt',
    ],
    empty: 'No webhook fails or is disabled.',
  }),
  list({
    name: 'operations prices',
    about:
      'List the last accepted price of each asset, with its sources and the spread between them.',
    examples: ['operations prices'],
    list: async ({ db, now }) =>
      (await readPriceSources(db, now)).map(({ price, quotes, ...accepted }) => ({
        ...{ ...accepted, price: formatPrice(price) },
        quotes: quotes.map((quote) => ({ ...quote, price: formatPrice(quote.price) })),
      })),
    columns: ['asset', 'price', 'accepted_at', 'spread', 'quotes'],
    empty: 'No price was accepted: this stack makes no rounds of prices.',
  }),
  read({
    name: 'operations partitions',
    about:
      'List the tables in partitions: how many there are, their sizes, and which is dropped next.',
    examples: ['operations partitions', 'operations partitions --json'],
    async read({ db, now, retention }) {
      const tables = await listPartitions(db, retention, now)
      const items = tables.map(({ aheadMs: _, partitions, ...table }) => ({
        ...{ ...table, bytes: Number(table.bytes) },
        partitions: partitions.map((one) => ({
          ...{ ...one, bytes: Number(one.bytes), rows: Number(one.rows) },
        })),
      }))
      const shown = tables.map(({ table, keptDays, partitions, bytes, nextDrop }) => ({
        ...{ table, kept_days: keptDays ?? 'for good', partitions: partitions.length },
        ...{ from: partitions[0]?.from, until: partitions.at(-1)?.until },
        ...{ megabytes: bytes / MEGABYTE, next_drop: nextDrop },
      }))
      return { data: { items: items.map(toMembers) }, shown: formatItems(shown) }
    },
  }),
  read({
    name: 'operations audit',
    about: 'Show when the invariants were last checked, and what violates them.',
    examples: ['operations audit'],
    async read({ db }) {
      const last = await readLastAudit(db)
      const items = (last?.findings ?? []).flatMap(({ invariant, check, violations }) =>
        violations.map(({ tenantId, subject, detail }) => ({
          ...{ invariant, check, tenant_id: tenantId, subject, detail },
        })),
      )
      const { finishedAt, violations = {}, unfinished = 0 } = last ?? {}
      const data = { finished_at: finishedAt, violations, unfinished, items }
      if (!finishedAt) return { data, shown: 'No audit has ended yet.' }
      const ended = `The last audit ended at ${finishedAt.toISOString()}, with ${unfinished} checks unfinished.`
      const found = items.length === 0 ? 'No violation.' : formatItems(items)
      return { data, shown: `${ended}\n${found}` }
    },
  }),
]

const showMs = (ms = 0) => (Number.isFinite(ms) ? `${ms} ms` : 'above 15 s')

const MEGABYTE = 1_048_576n

const FILTER = {
  tenantId: OF_TENANT,
  topic: optional('--topic <name>', 'of one topic', Object.keys(TOPICS) as Topic[]),
  subjectId: optional('--subject <id>', 'on one borrower, facility, draw, repayment or refund'),
}

export const WORK_COMMANDS: CliCommand[] = [
  list({
    name: 'work stuck',
    about:
      'List work that has failed ten times or more in a row, longest failing first. It is still retried.',
    examples: ['work stuck', 'work stuck --topic push-floor --json'],
    takes: FILTER,
    list: async ({ db }, filter) => (await listStuckWork(db, filter, FIRST_PAGE)).items,
    columns: ['tenant_id', 'topic', 'subject_id', 'attempts', 'failing_since', 'error'],
    empty: 'No work is stuck.',
  }),
  change({
    name: 'work retry',
    about:
      'Retry stuck work now instead of after its pause. With --subject also work that has failed fewer than ten times.',
    examples: [
      'work retry --topic push-floor',
      'work retry --tenant ten_… --topic release-draw --subject drw_…',
    ],
    takes: { reason: MAY_REASON, ...FILTER },
    async change({ now, makeChange }, { tenantId, topic, subjectId }) {
      const retried = await makeChange(async (tx) => {
        const count = await retryFailedWork(tx, { tenantId, topic, subjectId }, now)
        const subject = subjectId === undefined ? {} : { subject: { kind: 'work', id: subjectId } }
        const act = { action: 'work.retry' as const, tenantId, after: { topic, retried: count } }
        return { result: count, act: count === 0 ? undefined : { ...act, ...subject } }
      })
      const pieces = retried === 1 ? '1 piece' : `${retried} pieces`
      return {
        data: { retried },
        shown: `${pieces} of work will be retried within a second, if a worker runs.`,
      }
    },
  }),
]

export const LEDGER_COMMANDS: CliCommand[] = [
  read({
    name: 'ledger check',
    about:
      'Recompute every balance from the journal and print each disagreement. Exits with code 1 when there is one. Amounts are in the smallest unit of their asset. Safe while the service runs.',
    examples: ['ledger check', 'ledger check --json'],
    async read({ db }) {
      const found = await checkLedger(db)
      const answer = await answerList(db, found, {
        columns: [
          ...['tenant_id', 'facility_id', 'external_id', 'balance', 'asset', 'stored'],
          'recomputed',
        ],
        empty: 'No disagreement.',
      })
      return { ...answer, isFault: found.length > 0 }
    },
  }),
]

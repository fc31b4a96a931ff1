// Warnings, calls and decisions, as the desk shows them.
import { InvalidArgumentError } from 'commander'
import { formatDecimal, formatQuantity, formatUsd } from '../../core/money.ts'
import { floorCents, formatLtv } from '../../core/ratio.ts'
import { inSnapshot } from '../../db/transactions/snapshot.ts'
import { formatPrice } from '../../domain/collateral/prices.ts'
import { totalDebtCents } from '../../domain/facilities/ledger/debt.ts'
import {
  listMarginDecisions,
  type MarginDecision,
} from '../../domain/margin/decisions/decisions.ts'
import {
  type ExplainedDecision,
  explainDecision,
} from '../../domain/margin/decisions/explain-decision.ts'
import { getDeskCall, readDeskCalls } from '../../domain/margin/desk/desk-calls.ts'
import { getDeskFacility } from '../../domain/margin/desk/desk-facility.ts'
import {
  deskCallToJson,
  deskFacilityToJson,
  deskWarningToJson,
  explanationToJson,
  timelineEntryToJson,
} from '../../domain/margin/desk/desk-json.ts'
import {
  type DeskReading,
  getDeskWarning,
  readOpenWarnings,
} from '../../domain/margin/desk/open-warnings.ts'
import { readTimelineEntries, type TimelineEntry } from '../../domain/margin/desk/timeline.ts'
import type { Tier } from '../../domain/margin/policy.ts'
import { type CliCommand, list, read } from '../command/commands.ts'
import { OF_TENANT, TENANT } from '../command/members.ts'
import { MOST_LISTED, readId, readOrdinal, readTimestamp } from '../command/options.ts'
import { formatAnswer, formatItems } from '../command/output.ts'
import { counting, flag, optional, required } from '../command/parameters.ts'
import type { Session } from '../command/session.ts'

/** In one snapshot, at the stack's own prices and the terms in force. */
const readDesk = <Found>(session: Session, find: (reading: DeskReading) => Promise<Found>) => {
  const { clockFor, termsAt, prices } = session
  return inSnapshot(session.db, {}, (tx) => find({ db: tx, clockFor, termsAt, prices }))
}

const FACILITY = required('<facility>', 'the facility, fac_…', readId('fac'))

const limitOf = (about: string) => counting('--limit <number>', about, [1, MOST_LISTED], 100)

const LISTS: CliCommand[] = [
  list({
    name: 'margin warnings',
    about:
      'List the open warnings of all tenants, the earliest deadline first: what cures each, what is reported and not confirmed, what the custodian last answered.',
    examples: [
      'margin warnings',
      'margin warnings --tier 3 --due-before 2026-11-23T18:00:00Z --json',
    ],
    takes: {
      tenantId: OF_TENANT,
      tier: optional('--tier <number>', 'of one tier: 1, 2 or 3', readTier),
      dueBefore: optional('--due-before <timestamp>', 'with a deadline before it', readTimestamp),
      limit: limitOf('at most so many'),
    },
    list: async (session, { limit, ...filter }) =>
      (await readDesk(session, (reading) => readOpenWarnings(reading, filter, limit))).map(
        deskWarningToJson,
      ),
    columns: [
      ...['tenant_id', 'facility_id', 'external_id', 'number', 'tier', 'cure_deadline'],
      ...['cure_amount_usd', 'latest_ltv'],
    ],
    empty: 'No warning is open.',
  }),
  read({
    name: 'margin warning',
    about:
      'Show a warning: until when, what cures it, what is reported and not confirmed, what the custodian last answered.',
    examples: ['margin warning fac_… 1 --tenant ten_…'],
    takes: {
      facilityId: FACILITY,
      number: required('<number>', 'the number of the warning', readOrdinal),
      tenantId: TENANT,
    },
    async read(session, { tenantId, facilityId, number }) {
      const find = (reading: DeskReading) => getDeskWarning(reading, tenantId, facilityId, number)
      return { data: deskWarningToJson(await readDesk(session, find)) }
    },
  }),
  list({
    name: 'margin calls',
    about:
      'List the margin calls of all tenants that run, newest first, with their orders and fills.',
    examples: ['margin calls', 'margin calls --ended --tenant ten_… --json'],
    takes: {
      tenantId: OF_TENANT,
      ended: flag('--ended', 'those that have ended instead'),
      limit: limitOf('at most so many'),
    },
    async list(session, { tenantId, ended, limit }) {
      const filter = { tenantId, isRunning: ended !== true }
      const find = (reading: DeskReading) => readDeskCalls(reading, filter, limit)
      return (await readDesk(session, find)).map(deskCallToJson)
    },
    columns: [
      ...['tenant_id', 'facility_id', 'external_id', 'number', 'status', 'outcome', 'created_at'],
      ...['completed_at', 'sold'],
    ],
    empty: ({ ended }) => (ended ? 'No margin call has ended.' : 'No margin call is running.'),
  }),
  read({
    name: 'margin call',
    about: 'Show a margin call with its orders and fills.',
    examples: ['margin call fac_… 1 --tenant ten_…'],
    takes: {
      facilityId: FACILITY,
      number: required('<number>', 'the number of the call', readOrdinal),
      tenantId: TENANT,
    },
    async read(session, { tenantId, facilityId, number }) {
      const find = (reading: DeskReading) => getDeskCall(reading, tenantId, facilityId, number)
      return { data: deskCallToJson(await readDesk(session, find)) }
    },
  }),
]

function readTier(text: string): Tier {
  if (text === '1' || text === '2' || text === '3') return Number(text) as Tier
  throw new InvalidArgumentError('Expected 1, 2 or 3.')
}

const HISTORIES: CliCommand[] = [
  read({
    name: 'margin timeline',
    about:
      'Show a facility, and what happened to its margin, newest first: each decision in words and decided again, repayments, calls, orders, fills. Exits with 1 where a decision comes out otherwise.',
    examples: ['margin timeline fac_… --tenant ten_…'],
    takes: { facilityId: FACILITY, limit: limitOf('at most so many entries'), tenantId: TENANT },
    async read(session, { limit, ...of }) {
      const { facility, entries } = await readDesk(session, async (reading) => ({
        facility: deskFacilityToJson(await getDeskFacility(reading, of)),
        entries: await readTimelineEntries(reading.db, of, limit),
      }))
      const items = entries.map((entry) => ({
        ...timelineEntryToJson(entry),
        decision: 'decision' in entry ? explanationToJson(entry.decision) : null,
      }))
      const history =
        entries.length === 0
          ? 'Nothing has happened to its margin.'
          : formatItems(entries.map(toRow))
      return {
        data: { facility, items },
        shown: `${formatAnswer(facility)}\n\n${history}`,
        isFault: entries.some(isWrong),
      }
    },
  }),
  read({
    name: 'margin explain',
    about: 'Show the facts of each decision about a margin warning, and decide again from them.',
    examples: ['margin explain fac_… 1 --tenant ten_…'],
    takes: {
      facilityId: required('<facility>', 'the facility, fac_…'),
      number: required('<number>', 'the number of the warning'),
      tenantId: TENANT,
    },
    async read({ db }, { tenantId, facilityId, number: text }) {
      const number = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0
      const decisions = await listMarginDecisions(db, tenantId, facilityId, number)
      const explained = decisions.map(explain)
      return {
        data: { facility_id: facilityId, number, decisions: explained.map(({ data }) => data) },
        shown: explained.map(({ shown }) => shown).join('\n\n'),
        isFault: explained.some(({ isFault }) => isFault),
      }
    },
  }),
]

const isWrong = (entry: TimelineEntry): entry is TimelineEntry & { source: 'decision' } =>
  'decision' in entry && !entry.decision.agrees

function toRow(entry: TimelineEntry) {
  const { at, source, summary } = entry
  const differs = isWrong(entry) ? ` RECOMPUTED: ${entry.decision.recomputed}` : ''
  return { at, what: source.replace('_', ' '), summary: `${summary}${differs}` }
}

function explain(decision: MarginDecision) {
  const explained = explainDecision(decision)
  const { positions, rounds } = explained.facts
  const fields = describeFacts(explained)
  const { number, kind, decidedAt } = decision
  return {
    data: { number, kind, ...fields, facts: decision.facts },
    shown: [
      `Decision ${number}: ${kind} at ${decidedAt.toISOString()}`,
      formatAnswer({
        ...fields,
        positions: positions.map(({ asset, units, haircutPpm, valueCents }) => ({
          ...{ asset, quantity: formatQuantity({ asset, units }) },
          haircut: haircutPpm === undefined ? undefined : formatDecimal(haircutPpm, 6),
          value_usd: formatUsd(valueCents),
        })),
        rounds: rounds.flatMap((round, at) =>
          round.map(({ asset, price, at: acceptedAt, sources }) => ({
            round: at === rounds.length - 1 ? 'latest' : at + 1,
            ...{ asset, price_usd: formatPrice(price), accepted_at: acceptedAt },
            sources: sources.map(({ source, price: quoted }) => `${source} ${formatPrice(quoted)}`),
          })),
        ),
      }),
    ].join('\n\n'),
    isFault: !explained.agrees,
  }
}

function describeFacts({ facts, recorded, recomputed, agrees }: ExplainedDecision) {
  const { ladder, policy } = facts
  const debtCents = totalDebtCents(ladder.debt, ladder.now)
  const usd = (cents: bigint | undefined) => (cents === undefined ? '-' : formatUsd(cents))
  const ratioPpm = ladder.warning ? policy.cureLtvPpm : policy.floorLtvPpm
  const { values } = ladder
  return {
    trigger: ladder.trigger,
    debt_usd: formatUsd(debtCents),
    value_high_usd: usd(values?.highCents),
    value_low_usd: usd(values?.lowCents),
    value_latest_usd: usd(values?.latestCents),
    ltv_at_high: values ? formatLtv(debtCents, values.highCents) : '-',
    required_floor_usd: formatUsd(floorCents(debtCents, ratioPpm)),
    thresholds: policy.tiers
      .map(({ tier, aboveLtvPpm }) => `tier ${tier} > ${formatDecimal(aboveLtvPpm, 6)}`)
      .concat(`critical > ${formatDecimal(policy.criticalLtvPpm, 6)}`)
      .join(', '),
    overdue_after: ladder.warning?.windowDeadline.toISOString() ?? '-',
    policy: policy.version,
    recorded,
    recomputed: `${recomputed}${agrees ? '' : ' (DIFFERS)'}`,
  }
}

export const DESK_COMMANDS = [...LISTS, ...HISTORIES]

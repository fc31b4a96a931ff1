// Holds on facilities, amendments of their terms, and corrections.
import { InvalidArgumentError } from 'commander'
import { Refusal } from '../core/errors.ts'
import { parseDecimal } from '../core/money.ts'
import { ONE_PPM } from '../core/ratio.ts'
import { inTransaction, openForChanges } from '../db/database.ts'
import { CORRECTION_KINDS, getCorrections } from '../domain/facilities/corrections/corrections.ts'
import { requestWriteOffReading } from '../domain/facilities/corrections/write-off-reading.ts'
import { getFacility } from '../domain/facilities/facilities.ts'
import { pageHolds } from '../domain/facilities/holds/holds.ts'
import { compareFacilities } from '../domain/margin/amendments/amend.ts'
import { pagePending } from '../domain/margin/amendments/pending.ts'
import {
  AMEND_FACILITIES,
  toStoredAmendment,
  WITHDRAW_AMENDMENT,
} from '../domain/operators/acts/amendment-acts.ts'
import {
  CORRECT_FACILITY,
  type StoredCorrection,
  storeCorrection,
  toCorrection,
  tryCorrection,
} from '../domain/operators/acts/correction-acts.ts'
import { HOLD_FACILITY, RELEASE_FACILITY } from '../domain/operators/acts/facility-acts.ts'
import type { ChangeSession } from './command/change.ts'
import { act, type CliCommand, change, list } from './command/commands.ts'
import { FACILITY, MUST_REASON, TENANT } from './command/members.ts'
import {
  FIRST_PAGE,
  readDecimal,
  readId,
  readTimestamp,
  readWholeNumber,
} from './command/options.ts'
import type { Answer } from './command/output.ts'
import { flag, type Given, optional, required } from './command/parameters.ts'

const HOLDS: CliCommand[] = [
  list({
    name: 'facilities holds',
    about: 'List the holds that lie, of all tenants, longest first.',
    examples: ['facilities holds', 'facilities holds --json'],
    list: async ({ db }) =>
      (await pageHolds(db, FIRST_PAGE)).items.map(({ id: hold, ...held }) => ({ ...held, hold })),
    columns: ['facility_id', 'external_id', 'tenant_id', 'hold', 'kind', 'since', 'reason'],
    empty: 'No facility is on hold.',
  }),
  act(HOLD_FACILITY, {
    name: 'facilities hold',
    about:
      'Put a facility on hold at once: nothing escalates, sells, pays out or is released. What was sent is recalled. The tenant sees that it is on hold, and not why.',
    examples: [
      'facilities hold fac_… --tenant ten_… --kind bankruptcy --reason "petition of 3 November, case 4711"',
    ],
    needsReason: true,
    done: ({ holdId: hold }, { facilityId, kind }, { reason }) => ({
      data: { facility_id: facilityId, hold, kind, reason },
      shown: `Facility ${facilityId} is on hold by ${hold}.`,
    }),
  }),
  act(RELEASE_FACILITY, {
    name: 'facilities release',
    about:
      'Lift one hold of a facility, by two operators. What the holds stopped goes on when the last is lifted; a margin warning then has at least two hours.',
    examples: ['facilities release fac_… --tenant ten_… --hold pau_… --reason "case dismissed"'],
    needsReason: true,
    done: ({ isLast }, { facilityId, holdId: hold }, { reason }) => ({
      data: { facility_id: facilityId, hold, on_hold: !isLast, reason },
      shown: isLast
        ? `Facility ${facilityId} is released: what the hold stopped goes on.`
        : `Hold ${hold} is lifted. Others lie on ${facilityId}.`,
    }),
  }),
]

const LARGEST_VERSION = 999_999_999

const AMENDMENT = {
  facilityIds: optional<string[]>('[facility_ids...]', 'the facilities, fac_…, of one tenant'),
  all: flag('--all', 'all that are bound to an older version; of one tenant with --tenant'),
  tenantId: optional('--tenant <id>', 'the tenant, ten_…', readId('ten')),
  version: optional(
    '--to-version <number>',
    'of the margin policy',
    readWholeNumber(0, LARGEST_VERSION),
  ),
  ratePpm: optional(
    '--rate <decimal>',
    'annual interest rate, 0.10 for 10 %',
    readDecimal(6, '0.10'),
  ),
  from: optional('--from <time>', 'not before then, UTC, of the tenant', readTimestamp),
  reason: MUST_REASON,
}

const AMENDMENTS: CliCommand[] = [
  list({
    name: 'facilities amendments',
    about: 'List the amendments that wait, of all tenants, next first.',
    examples: ['facilities amendments', 'facilities amendments --json'],
    list: async ({ db }) =>
      (await pagePending(db, FIRST_PAGE)).items.map((pending) => ({
        ...pending,
        askedBy: pending.askedBy ?? null,
        eventId: pending.eventId ?? null,
      })),
    columns: [
      ...['facility_id', 'external_id', 'tenant_id', 'effective_at', 'bound_version', 'version'],
      ...['rate', 'asked_by', 'event_id'],
    ],
    empty: 'No amendment waits.',
  }),
  change({
    name: 'facilities amend',
    about:
      'Bind facilities that lend to a version of the margin policy, or to a rate, by two operators. What is stricter takes effect 30 days later or after, the rest immediately.',
    examples: [
      'facilities amend fac_… --tenant ten_… --to-version 3 --reason "agreed on 3 November"',
      'facilities amend fac_… --tenant ten_… --rate 0.085 --reason "agreed on 3 November"',
      'facilities amend --all --to-version 3 --from 2027-01-01T00:00:00Z --reason "volatility of ETH"',
    ],
    takes: AMENDMENT,
    change: async (session, given) => await amend(session, given),
  }),
  act(WITHDRAW_AMENDMENT, {
    name: 'facilities withdraw-amendment',
    about: 'Withdraw an amendment that waits, by two operators. The terms in force stay.',
    examples: ['facilities withdraw-amendment fac_… --tenant ten_… --reason "agreed otherwise"'],
    needsReason: true,
    done: (_, { facilityId }) => ({
      data: { facility_id: facilityId, next_terms: null },
      shown: `The amendment of ${facilityId} is withdrawn.`,
    }),
  }),
]

async function amend(
  { db, now, actOrPropose }: ChangeSession,
  { version, ratePpm, from, ...given }: Given<typeof AMENDMENT>,
): Promise<Answer> {
  const amendment = { version, ratePpm, from }
  const { compared, left } = await compareFacilities(db, amendment, chooseFacilities(given), now)
  const stricter = compared.filter(({ isStricter }) => isStricter).length
  const counts = { with_notice: stricter, without_notice: compared.length - stricter, left }
  const stored = toStoredAmendment(amendment, compared)
  const { data, shown } = await actOrPropose(AMEND_FACILITIES, stored, (amended) => {
    const { bound, noticed, leftOut } = amended
    return {
      data: { bound, noticed, left_out: leftOut },
      shown: `${bound.length} bound, ${noticed.length} given notice, ${leftOut.length} left out.`,
    }
  })
  const more = left > 0 ? ` ${left} more are older: amend those afterwards.` : ''
  return {
    data: { ...data, ...counts },
    shown: `Stricter, with 30 days of notice: ${stricter}. Nowhere stricter, immediately: ${counts.without_notice}.${more}\n\n${shown}`,
  }
}

type Chosen = Pick<Given<typeof AMENDMENT>, 'facilityIds' | 'all' | 'tenantId'>

function chooseFacilities({ facilityIds = [], all, tenantId }: Chosen) {
  if (all && facilityIds.length === 0) return { tenantId }
  if (all || facilityIds.length === 0) throw refuse('Name the facilities, or give --all.')
  if (!tenantId) throw refuse('Give the tenant of the facilities: --tenant ten_….')
  return { facilities: facilityIds.map((facilityId) => ({ tenantId, facilityId })) }
}

const refuse = (detail: string) => new Refusal('validation_failed', detail)

const readUtc = (text: string) => readTimestamp(text).toISOString()

const CORRECTION = {
  facilityId: FACILITY,
  kind: required('--kind <kind>', 'what is corrected', CORRECTION_KINDS),
  cents: optional('--amount <usd>', 'of waive_interest and credit, such as 27.40', readCents),
  ratePpm: optional('--rate <decimal>', 'of rate: annual, 0.08 for 8 %', readRate),
  from: optional('--from <time>', 'of rate: from when it holds, in UTC', readUtc),
  until: optional('--until <time>', 'of forbearance: its end, in UTC', readUtc),
  correctionId: optional('--correction <id>', 'of undo: the correction, cor_…', readId('cor')),
  preview: flag('--preview', 'show what it would change, and change nothing'),
  reason: MUST_REASON,
  tenantId: TENANT,
}

const CORRECTIONS: CliCommand[] = [
  list({
    name: 'facilities corrections',
    about: 'List the corrections of a facility, the oldest first.',
    examples: ['facilities corrections fac_… --tenant ten_…'],
    takes: { facilityId: FACILITY, tenantId: TENANT },
    list: async ({ db }, { facilityId, tenantId }) =>
      (await getCorrections(db, tenantId, facilityId)).map(({ id, cents, ...booked }) => ({
        correction: id,
        kind: booked.kind,
        amountCents: cents ?? null,
        ratePpm: booked.ratePpm ?? null,
        from: booked.from ?? null,
        until: booked.until ?? null,
        at: booked.at,
        undoneAt: booked.undoneAt ?? null,
      })),
    columns: ['correction', 'kind', 'amount_usd', 'rate', 'from', 'until', 'at', 'undone_at'],
    empty: 'The facility was not corrected.',
  }),
  change({
    name: 'facilities correct',
    about:
      'Correct a facility, by two operators: waive interest, credit principal, lower the rate from a day on, write the debt off, grant a forbearance, undo one of these, or close it. Nothing else changes a booked cent.',
    examples: [
      'facilities correct fac_… --tenant ten_… --kind waive_interest --amount 27.40 --reason "the bank was a day late"',
      'facilities correct fac_… --tenant ten_… --kind rate --rate 0.08 --from 2026-11-01T00:00:00Z --reason "agreed in October"',
      'facilities correct fac_… --tenant ten_… --kind undo --correction cor_… --reason "of another loan" --preview',
    ],
    takes: CORRECTION,
    change: async (session, given) => await correct(session, given),
  }),
]

async function correct(session: ChangeSession, given: Given<typeof CORRECTION>): Promise<Answer> {
  const { tenantId, facilityId, kind, reason } = given
  const of = { tenantId, facilityId }
  const correction = readCorrection(given)
  if (given.preview) return await preview(session, of, correction)
  if (kind === 'write_off') await askCustodian(session, of)
  const request = { ...of, correction }
  return await session.actOrPropose(CORRECT_FACILITY, request, ({ correctionId: id }) => ({
    data: { facility_id: facilityId, correction: id, kind, reason },
    shown: `Facility ${facilityId} is corrected by ${id}.`,
  }))
}

type OfFacility = { tenantId: string; facilityId: string }

async function preview(session: ChangeSession, of: OfFacility, correction: StoredCorrection) {
  const data = await session.makeChange(async (_tx, desk) => {
    const tried = await tryCorrection(desk, { ...of, correction: toCorrection(correction) })
    return { result: tried, act: undefined }
  })
  const { debt, statement_lines: lines, entries } = data
  const { before, after } = debt
  const shown = [
    `Principal ${before.principal_usd} becomes ${after.principal_usd}, interest ${before.interest_usd} becomes ${after.interest_usd}.`,
    `Rate ${before.rate} becomes ${after.rate}, state ${before.state} becomes ${after.state}.`,
    `${lines.before.length} lines of the statement change to ${lines.after.length}, and ${entries.after - entries.before} entries are booked; --json shows them.`,
  ].join('\n')
  return { data, shown }
}

/** Before the act, which must not wait for the answer. */
async function askCustodian({ db, now }: ChangeSession, { tenantId, facilityId }: OfFacility) {
  await inTransaction(openForChanges(db), async (tx) => {
    await getFacility(tx, tenantId, facilityId)
    await requestWriteOffReading({ tx, tenantId, realNow: now }, facilityId)
  })
}

function readCorrection(given: Given<typeof CORRECTION>): StoredCorrection {
  const { kind, cents, ratePpm, from, until, correctionId } = given
  const members = Object.entries({ kind, cents, ratePpm, from, until, correctionId })
  const asked = Object.fromEntries(members.filter(([, value]) => value !== undefined))
  const correction = storeCorrection(toCorrection({ ...asked, kind }))
  if (Object.keys(asked).every((name) => name in correction)) return correction
  throw refuse(`${kind} takes fewer options than were given.`)
}

function readCents(text: string): string {
  const cents = parseDecimal(text, 2)
  if (cents !== undefined && cents > 0n) return String(cents)
  throw new InvalidArgumentError('Expected an amount such as 27.40.')
}

function readRate(text: string): number {
  const rate = parseDecimal(text, 6)
  if (rate !== undefined && rate <= ONE_PPM) return Number(rate)
  throw new InvalidArgumentError('Expected an annual rate from 0 to 1, such as 0.08.')
}

export const FACILITY_COMMANDS = [...HOLDS, ...AMENDMENTS, ...CORRECTIONS]

import type { Rates } from '../../../core/interest.ts'
import { minOf } from '../../../core/money.ts'
import type { Facility } from '../facilities.ts'
import { NO_STEP } from '../ledger/debt-account.ts'
import type { BookedEntry } from '../ledger/replay.ts'

// Agreed is the rate at which a facility was opened, and what amendments make of it. A correction lowers
// it from a day on, until the next amendment.

/** The agreed rates while corrections hold; `segments` rates had been in force before the one that was
 * in force when they were stored. */
export type AgreedRates = { rates: Rates; segments: number }

/** Booked first comes first; it holds until the next amendment, where none booked later does. */
export type RateCorrection = { from: Date; ratePpm: bigint }

export const ratesOf = ({
  debt,
  earlierRates,
}: Pick<Facility, 'debt' | 'earlierRates'>): Rates => ({
  ...{ ratePpm: debt.ratePpm, earlierRates },
})

/** What has been in force since the agreed rates were stored, was agreed by an amendment. */
export function agreedRates(facility: Pick<Facility, 'debt' | 'earlierRates' | 'agreed'>): Rates {
  const { agreed } = facility
  const inForce = ratesOf(facility)
  if (!agreed) return inForce
  const { rates, segments } = agreed
  const [amended, ...later] = inForce.earlierRates.slice(segments)
  if (!amended) return rates
  const last = { ratePpm: rates.ratePpm, until: amended.until }
  return { ratePpm: inForce.ratePpm, earlierRates: [...rates.earlierRates, last, ...later] }
}

type Segment = { from: Date; until: Date | undefined; ratePpm: bigint }

const FIRST = new Date(0)

function segmentsOf({ ratePpm, earlierRates }: Rates): Segment[] {
  const all = [...earlierRates, { ratePpm, until: undefined }]
  return all.map((one, index) => ({ ...one, from: all[index - 1]?.until ?? FIRST }))
}

/** 10 % agreed, and 8 % from 1 March by a correction: 10 % until then, 8 % after it. */
export function correctRates(agreed: Rates, corrections: readonly RateCorrection[]): Rates {
  const segments = segmentsOf(agreed).flatMap((segment) => {
    const own = corrections.filter(
      ({ from }) => from >= segment.from && (!segment.until || from < segment.until),
    )
    const starts = [...new Set([segment.from, ...own.map(({ from }) => from)].map(Number))]
    return starts
      .sort((a, b) => a - b)
      .map((start): { from: Date; ratePpm: bigint } => {
        const last = own.findLast(({ from }) => from.getTime() <= start)
        return { from: new Date(start), ratePpm: last?.ratePpm ?? segment.ratePpm }
      })
  })
  const changes = segments.filter(({ ratePpm }, at) => segments[at - 1]?.ratePpm !== ratePpm)
  const earlierRates = changes.slice(0, -1).map(({ ratePpm }, at) => ({
    ratePpm,
    until: changes[at + 1]?.from ?? FIRST,
  }))
  return { ratePpm: changes.at(-1)?.ratePpm ?? agreed.ratePpm, earlierRates }
}

/** The lowest rate that is in force at an instant which a correction from `from` covers. */
export function lowestCovered(agreed: Rates, inForce: Rates, from: Date): bigint {
  const end = segmentsOf(agreed).find(({ until }) => !until || from < until)?.until
  return segmentsOf(inForce)
    .filter((segment) => (!segment.until || segment.until > from) && (!end || segment.from < end))
    .map(({ ratePpm }) => ratePpm)
    .reduce(minOf)
}

/** For a replay: what each change of the rate adds to the history, and the rate before the first. */
export function withRates(
  history: readonly BookedEntry[],
  rates: Rates,
): { history: BookedEntry[]; ratePpm: bigint } {
  const [first, ...changes] = segmentsOf(rates)
  const entries = changes.map(({ from: valueAt, ratePpm }, index): BookedEntry => {
    const id = `rate/${index + 1}`
    return { id, step: { ...NO_STEP, valueAt }, event: { id, kind: 'rate', valueAt, ratePpm } }
  })
  return { history: [...history, ...entries], ratePpm: first?.ratePpm ?? rates.ratePpm }
}

type StoredRate = { rate_ppm: number; until: string }

export type StoredAgreed = { rate_ppm: number; earlier: StoredRate[]; segments: number }

export function decodeRates(stored: readonly StoredRate[]): Rates['earlierRates'] {
  return stored.map(({ rate_ppm, until }) => ({
    ...{ ratePpm: BigInt(rate_ppm), until: new Date(until) },
  }))
}

export function decodeAgreed({ rate_ppm, earlier, segments }: StoredAgreed): AgreedRates {
  return { rates: { ratePpm: BigInt(rate_ppm), earlierRates: decodeRates(earlier) }, segments }
}

export function encodeRates({ earlierRates }: Pick<Rates, 'earlierRates'>): StoredRate[] {
  return earlierRates.map(({ ratePpm, until }) => ({
    ...{ rate_ppm: Number(ratePpm), until: until.toISOString() },
  }))
}

export function encodeAgreed({ rates, segments }: AgreedRates): StoredAgreed {
  return { rate_ppm: Number(rates.ratePpm), earlier: encodeRates(rates), segments }
}

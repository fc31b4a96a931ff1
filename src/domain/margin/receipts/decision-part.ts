import type { Position } from '../../collateral/valuation.ts'
import { totalDebtCents } from '../../facilities/ledger/debt.ts'
import type { DecisionFacts } from '../decisions/decision-record.ts'
import type { LadderDecision, OpenWarning, Push } from '../ladder/facts.ts'
import type { RaiseFacts } from '../ladder/raise-facts.ts'
import type { PlainJson } from './canonical-json.ts'
import { debtPart, listPositions, type Tables, text, time } from './receipt-parts.ts'

/** A decision about the warning, with all that it follows from. */
export function toDecisionPart(
  { number, kind, facts }: { number: number; kind: string; facts: DecisionFacts },
  tables: Tables,
): PlainJson {
  const { ladder, policy, positions, pushed = [], held = [], raise } = facts
  const { debt, now, easedCents, values, warning, push, lastCure } = ladder
  const priced = [...positions, ...pushed, ...held]
  const list = (some: readonly Position[] | undefined) => some && listPositions(some, tables)
  return {
    number,
    kind,
    at: time(now),
    terms: tables.termsIndex(policy),
    debt: debtPart(debt),
    debt_cents: text(totalDebtCents(debt, now)),
    eased_cents: easedCents === undefined ? undefined : text(easedCents),
    positions: positions.map(({ asset, units, curingUnits }) => ({
      asset,
      units: text(units),
      curing_units: curingUnits === undefined ? undefined : text(curingUnits),
    })),
    pushed: list(facts.pushed),
    held: list(facts.held),
    is_held_sellable: ladder.isHeldSellable,
    rounds: tables.roundIndexes(facts.rounds, priced),
    values: values && {
      high_cents: text(values.highCents),
      low_cents: text(values.lowCents),
      latest_cents: text(values.latestCents),
    },
    warning: warning && warningPart(warning),
    push: push && pushPart(push),
    last_cure: lastCure && { cured_at: time(lastCure.curedAt), left_ms: lastCure.leftMs },
    reported: ladder.reported.map(({ cents, holdsUntil }) => ({
      cents: text(cents),
      holds_until: time(holdsUntil),
    })),
    at_raise: raise && raisePart(raise, tables),
    result: resultPart(facts.decision),
  }
}

function warningPart({ tier, cureDeadline, windowDeadline, flickerUntil }: OpenWarning) {
  return {
    tier,
    cure_deadline: time(cureDeadline),
    window_deadline: time(windowDeadline),
    flicker_until: flickerUntil && time(flickerUntil),
  }
}

function pushPart({ receivedAt, isNew, askedSince, answeredAt }: Push) {
  return {
    received_at: time(receivedAt),
    is_new: isNew,
    asked_since: askedSince && time(askedSince),
    answered_at: answeredAt && time(answeredAt),
  }
}

function raisePart(raise: RaiseFacts, tables: Tables) {
  return {
    at: time(raise.now),
    debt: debtPart(raise.debt),
    floor_ltv_ppm: text(raise.floorLtvPpm),
    haircuts_ppm: Object.fromEntries([...raise.haircuts].map(([asset, ppm]) => [asset, text(ppm)])),
    positions: listPositions(raise.positions, tables),
    rounds: tables.roundIndexes(raise.rounds, raise.positions),
  }
}

function resultPart(decision: LadderDecision): PlainJson {
  switch (decision.kind) {
    case 'raise':
    case 'worsen':
      return {
        kind: decision.kind,
        tier: decision.tier,
        cure_deadline: time(decision.cureDeadline),
      }
    case 'escalate':
      return { kind: decision.kind, reason: decision.reason }
    case 'none':
    case 'hold':
    case 'ask':
    case 'cure':
      return { kind: decision.kind }
    default: {
      const unreachable: never = decision
      return unreachable
    }
  }
}

import { HAIRCUTS_PPM, type Position } from '../collateral/valuation.ts'
import type { PledgedAccount } from '../facilities/ports.ts'
import type { Finding } from './match.ts'

export type OwnAccount = {
  facilityId: string
  /** `unsure`: an application, or one that was declined or cancelled, which is not released. */
  lien: 'pledged' | 'released' | 'unsure'
  /** Undefined while none is confirmed, or another is on its way. */
  floorCents: bigint | undefined
  /** The positions that margin counts. */
  counted: readonly Position[]
  /** The positions that were pushed, less what was sold since. Undefined unless the push is at least a day old. */
  pushed: readonly Position[] | undefined
}

/** Compares what the custodian holds for us with what we lend on. The custodian must hold at least the counted
 * units of each asset that counts as collateral. It may hold more only until a day has passed without a push. */
export function matchCollateral(
  day: string,
  theirs: readonly PledgedAccount[],
  ours: readonly OwnAccount[],
): Finding[] {
  const ownOf = new Map(ours.map((one) => [one.facilityId, one]))
  const theirOf = new Map(theirs.map((one) => [one.facilityId, one]))
  const findings: Finding[] = []
  for (const { facilityId, floorCents } of theirs) {
    const { lien = 'released' } = ownOf.get(facilityId) ?? {}
    if (lien !== 'released') continue
    const shared = { day, area: 'collateral' as const, itemId: facilityId, facilityId }
    const pledged = { floor_cents: floorCents === undefined ? undefined : String(floorCents) }
    findings.push({ ...shared, kind: 'missing_here', ours: undefined, theirs: pledged })
  }
  for (const own of ours) {
    if (own.lien !== 'pledged') continue
    const { facilityId } = own
    const held = theirOf.get(facilityId)
    const shared = { day, area: 'collateral' as const, facilityId }
    if (held) findings.push(...compareAccount(own, held).map((one) => ({ ...shared, ...one })))
    else {
      const itemId = facilityId
      findings.push({ ...shared, itemId, kind: 'missing_there', ours: {}, theirs: undefined })
    }
  }
  return findings
}

function compareAccount(own: OwnAccount, held: PledgedAccount) {
  const { facilityId } = own
  const kind = 'other_amount' as const
  const found = []
  if (own.floorCents !== undefined && own.floorCents !== (held.floorCents ?? 0n)) {
    found.push({
      ...{ kind, itemId: `${facilityId}/floor` },
      ours: { asset: 'USD', units: String(own.floorCents) },
      theirs: { asset: 'USD', units: String(held.floorCents ?? 0n) },
    })
  }
  for (const asset of HAIRCUTS_PPM.keys()) {
    const there = unitsOf(held.positions, asset)
    const counted = unitsOf(own.counted, asset)
    const pushed = own.pushed && unitsOf(own.pushed, asset)
    const here = there < counted ? counted : pushed !== undefined && there > pushed ? pushed : there
    if (here === there) continue
    found.push({
      ...{ kind, itemId: `${facilityId}/${asset}` },
      ours: { asset, units: String(here) },
      theirs: { asset, units: String(there) },
    })
  }
  return found
}

function unitsOf(positions: readonly Position[], asset: string): bigint {
  return positions.find((one) => one.asset === asset)?.units ?? 0n
}

import type { ReactNode } from 'react'
import type { Facility } from '../../../client/index.ts'
import { formatRatio } from '../../../pages/data/figures.ts'
import { Facts } from '../../../pages/parts/page.tsx'
import { Money, ResourceId, Time } from '../../../pages/parts/values.tsx'

/** Why an application was declined, in plain words. */
const DECLINE_REASONS: Readonly<Record<string, string>> = {
  borrower_not_eligible: 'the borrower is not eligible',
  deficit_owed: 'the borrower owes a deficit on an earlier facility',
  limit_out_of_range: 'the limit is outside what is lent',
  residency_limit_exceeded: 'the limit is above that of the place of residence',
  insufficient_collateral: 'the collateral is worth too little',
  control_not_confirmed: 'the custodian did not confirm control of the account',
  portfolio_stale: 'the portfolio was too old',
}

export function FacilityFacts({ facility }: { facility: Facility }) {
  const { outstanding, limit } = facility
  const facts: (readonly [string, ReactNode])[] = [
    ['Owed', <Money key="owed" amount={outstanding.total} />],
    ['Principal', <Money key="principal" amount={outstanding.principal} />],
    ['Interest', <Money key="interest" amount={outstanding.interest} />],
    ['Limit', <Money key="limit" amount={limit.amount} asset={limit.asset} />],
    ['Interest rate', `${formatRatio(facility.rate)} a year`],
    ['Floor at the custodian', <Money key="floor" amount={facility.custodian_floor_usd} />],
    ['Borrower', <ResourceId key="borrower" value={facility.borrower_id} />],
    ['Created', <Time key="created" at={facility.created_at} />],
    ['Decided', <Time key="decided" at={facility.decisioned_at} />],
  ]
  return <Facts items={[...facts, ...exceptional(facility)]} />
}

/** Only where there is something to show. */
function exceptional(facility: Facility): (readonly [string, ReactNode])[] {
  const { outstanding, refund_due: refund, charged_off: off, decline_reasons: reasons } = facility
  const { external_id: externalId, on_hold: hold } = facility
  return [
    ...(hold === undefined
      ? []
      : [['On hold by the lender since', <Time key="hold" at={hold.since} />] as const]),
    ...(externalId === undefined ? [] : [['Your id', externalId] as const]),
    ...(outstanding.reserved === '0.00'
      ? []
      : [['Reserved by draws', <Money key="reserved" amount={outstanding.reserved} />] as const]),
    ...(refund === undefined
      ? []
      : [['Refund due', <Money key="refund" amount={refund} />] as const]),
    ...(off === undefined
      ? []
      : [
          ['Charged off, principal', <Money key="off" amount={off.principal} />] as const,
          ['Charged off, interest', <Money key="interest-off" amount={off.interest} />] as const,
          ['Recovered since', <Money key="recovered" amount={off.recovered} />] as const,
        ]),
    ...(reasons === undefined
      ? []
      : [['Declined because', reasons.map((it) => DECLINE_REASONS[it] ?? it).join('; ')] as const]),
  ]
}

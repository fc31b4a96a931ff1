import { Link } from '@tanstack/react-router'
import { Name } from '../../../pages/parts/values.tsx'
import type { FacilityPath } from '../../data/margin.ts'

type NumberedProps = FacilityPath & {
  number: number
  /** In a list over all facilities. */
  isListed?: boolean
}

export function WarningLink({ number, isListed = false, ...of }: NumberedProps) {
  return (
    <Link
      to="/margin/$tenantId/$facilityId/warnings/$number"
      params={{ ...of, number: String(number) }}
    >
      {isListed ? <Numbered {...of} number={number} /> : `Warning ${number}`}
    </Link>
  )
}

export function CallLink({ number, isListed = false, ...of }: NumberedProps) {
  return (
    <Link
      to="/margin/$tenantId/$facilityId/calls/$number"
      params={{ ...of, number: String(number) }}
    >
      {isListed ? <Numbered {...of} number={number} /> : `Call ${number}`}
    </Link>
  )
}

/** As events name a warning or call: fac_…/1. */
function Numbered({ tenantId, facilityId, number }: FacilityPath & { number: number }) {
  return <Name value={`${facilityId}/${number}`} tenantId={tenantId} isShort />
}

/** Above each page of a facility. */
export function FacilityCrumbs({ tenantId, facilityId }: FacilityPath) {
  return (
    <>
      <Link to="/margin">Margin</Link> /{' '}
      <Link to="/margin/$tenantId/$facilityId" params={{ tenantId, facilityId }}>
        Facility <Name value={facilityId} tenantId={tenantId} isShort />
      </Link>
    </>
  )
}

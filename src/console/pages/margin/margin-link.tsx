import { Link } from '@tanstack/react-router'
import { Id } from '../../parts/id.tsx'
import { Name } from '../../parts/name.tsx'

/** Leads to the margin story of a facility. */
export function MarginLink({ facilityId }: { facilityId: string }) {
  return (
    <Id value={facilityId}>
      <Link to="/facilities/$id" params={{ id: facilityId }} search={{ tab: 'margin' }}>
        <Name value={facilityId} />
      </Link>
    </Id>
  )
}

import { Link } from '@tanstack/react-router'
import { Id, Name } from '../../../pages/parts/values.tsx'

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

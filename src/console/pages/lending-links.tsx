import { Link } from '@tanstack/react-router'
import { Id } from '../parts/id.tsx'

export function FacilityLink({ id }: { id: string }) {
  return (
    <Id value={id}>
      <Link to="/facilities/$id" params={{ id: id }}>
        {id}
      </Link>
    </Id>
  )
}

export function BorrowerLink({ id }: { id: string }) {
  return (
    <Id value={id}>
      <Link to="/borrowers/$id" params={{ id: id }}>
        {id}
      </Link>
    </Id>
  )
}

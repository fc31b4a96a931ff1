import { Navigate, useParams } from '@tanstack/react-router'

/** A warning or a margin call by its id, `fac_…/<number>`: shown in the facility's margin story. */
export function NumberedPage() {
  const { id } = useParams({ from: '/facilities/$id/$number' })
  return <Navigate to="/facilities/$id" params={{ id }} search={{ tab: 'margin' }} replace />
}

import { Link } from '@tanstack/react-router'
import { usePageOfId } from '../frame/application.ts'
import { Id } from './id.tsx'
import { Name } from './name.tsx'

type ResourceProps = {
  value: string
  /** At the desk, whose it is. */
  tenantId?: string | null
}

/** Shows the name of the resource that has this id. The name links to its page, if it has one. */
export function ResourceId({ value, tenantId }: ResourceProps) {
  const to = usePageOfId()(value)
  const name = <Name value={value} {...(tenantId && { tenantId })} />
  return <Id value={value}>{to === undefined ? name : <Link to={to}>{name}</Link>}</Id>
}

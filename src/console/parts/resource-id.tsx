import { Link } from '@tanstack/react-router'
import { usePageOfId } from '../frame/application.ts'
import { Id } from './id.tsx'
import { Name } from './name.tsx'

type ResourceProps = {
  value: string
  /** At the desk, whose it is. */
  tenantId?: string | null
}

/** What an id names, which leads to its page where it has one. */
export function ResourceId({ value, tenantId }: ResourceProps) {
  const to = usePageOfId()(value)
  const name = <Name value={value} {...(tenantId && { tenantId })} />
  return <Id value={value}>{to === undefined ? name : <Link to={to}>{name}</Link>}</Id>
}

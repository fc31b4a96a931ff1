import { Link } from '@tanstack/react-router'
import { usePageOfId } from '../frame/application.ts'
import { Id } from './id.tsx'

/** An id that leads to its page, where it has one. */
export function ResourceId({ value }: { value: string }) {
  const to = usePageOfId()(value)
  return <Id value={value}>{to === undefined ? value : <Link to={to}>{value}</Link>}</Id>
}

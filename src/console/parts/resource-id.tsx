import { Link } from '@tanstack/react-router'
import { pageOfId } from '../shell/id-pages.ts'
import { Id } from './id.tsx'

/** An id that leads to its page, where it has one. */
export function ResourceId({ value }: { value: string }) {
  const to = pageOfId(value)
  return <Id value={value}>{to === undefined ? value : <Link to={to}>{value}</Link>}</Id>
}

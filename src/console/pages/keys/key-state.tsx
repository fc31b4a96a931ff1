import { Status } from '../../../pages/parts/values.tsx'
import type { ConsoleKey } from '../../data/console-api.ts'

export function KeyState({ of: { revoked_at, expires_at } }: { of: ConsoleKey }) {
  if (revoked_at) return <Status tone="plain">Revoked</Status>
  const isExpired = expires_at !== null && Date.parse(expires_at) <= Date.now()
  return isExpired ? <Status tone="warn">Expired</Status> : <Status tone="good">Active</Status>
}

export function isUsable({ revoked_at, expires_at }: ConsoleKey): boolean {
  return !revoked_at && (expires_at === null || Date.parse(expires_at) > Date.now())
}

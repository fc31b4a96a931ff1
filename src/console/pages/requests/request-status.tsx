import { Status } from '../../../pages/parts/values.tsx'

export function RequestStatus({ status, code }: { status: number; code?: string | null }) {
  const tone = status < 400 ? 'good' : status < 500 ? 'warn' : 'bad'
  return <Status tone={tone}>{code ? `${status} ${code}` : String(status)}</Status>
}

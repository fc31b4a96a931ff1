import type { Tone } from '../../../pages/parts/values.tsx'
import type { Schemas } from '../../data/operator-api.ts'

export const TONES: Readonly<Record<Schemas['Approval']['status'], Tone>> = {
  PENDING: 'warn',
  CONFIRMED: 'good',
  REJECTED: 'bad',
  EXPIRED: 'plain',
}

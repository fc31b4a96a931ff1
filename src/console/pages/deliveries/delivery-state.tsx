import type { DeliveryState as State } from '../../../client/resources/resources.ts'
import { Status, type Tone } from '../../../pages/parts/values.tsx'

export const DELIVERY_STATES: Readonly<Record<State, { tone: Tone; label: string }>> = {
  pending: { tone: 'calm', label: 'Pending' },
  delivered: { tone: 'good', label: 'Delivered' },
  dead_lettered: { tone: 'bad', label: 'Dead letter' },
  cancelled: { tone: 'plain', label: 'Cancelled' },
}

export function DeliveryState({ state }: { state: State }) {
  const { tone, label } = DELIVERY_STATES[state]
  return <Status tone={tone}>{label}</Status>
}

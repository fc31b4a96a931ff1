import type { ChainedEvent, EventData } from '../../../client/index.ts'
import { formatRatio } from '../../../pages/data/figures.ts'
import { groupDigits } from '../../../pages/parts/values.tsx'

type MarginEventType =
  | 'margin_warning.raised'
  | 'margin_warning.cured'
  | 'margin_warning.escalated'
  | 'margin_call.started'
  | 'margin_call.completed'

export const MARGIN_EVENTS: { value: MarginEventType; label: string }[] = [
  { value: 'margin_warning.raised', label: 'Warnings raised' },
  { value: 'margin_warning.cured', label: 'Warnings cured' },
  { value: 'margin_warning.escalated', label: 'Warnings escalated' },
  { value: 'margin_call.started', label: 'Margin calls started' },
  { value: 'margin_call.completed', label: 'Margin calls completed' },
]

const at = (ltv: string | undefined) => (ltv === undefined ? '' : `, at ${formatRatio(ltv)}`)

const WORDS: { [Type in MarginEventType]: (data: EventData<Type>) => string } = {
  'margin_warning.raised': ({ tier, ltv, cure_amount: cure }) =>
    `Tier ${tier}${at(ltv)}; ${groupDigits(cure.amount)} ${cure.asset} would cure it`,
  'margin_warning.cured': ({ cured_by: by, ltv }) => `Cured by ${by ?? 'its value'}${at(ltv)}`,
  'margin_warning.escalated': ({ reason }) =>
    reason === 'critical' ? 'Escalated as critical' : 'Escalated after the deadline',
  'margin_call.started': () => 'The sale began',
  'margin_call.completed': ({ outcome }) => `The sale ended: ${(outcome ?? '').replace('_', ' ')}`,
}

/** One line for a table; empty for other types. */
export function describeMarginEvent({ type, data }: ChainedEvent): string {
  const describe = (WORDS as Partial<Record<string, (data: object) => string>>)[type]
  return describe?.(data) ?? ''
}

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { exampleEvent } from '../../../src/domain/events/catalogue/event-examples.ts'
import { EVENT_TYPES, eventDefinition } from '../../../src/domain/events/catalogue/event-types.ts'

const CATALOGUE = [
  'events-facilities.md',
  'events-money.md',
  'events-margin.md',
  'events-notices.md',
]
const catalogue = CATALOGUE.map(readDoc).join('\n')

function readDoc(name: string): string {
  return readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')
}

test('the event types are those of the interface, in its order, the holds, and the notices', () => {
  expect(EVENT_TYPES).toEqual([
    'borrower.eligible',
    'facility.decisioned',
    'draw.completed',
    'draw.failed',
    'repayment.applied',
    'repayment.failed',
    'repayment.reversed',
    'draw.returned',
    'facility.floor_updated',
    'margin_warning.raised',
    'margin_warning.cured',
    'margin_warning.escalated',
    'margin_call.started',
    'margin_call.completed',
    'facility.closed',
    'facility.held',
    'facility.released',
    'facility.terms_changed',
    'facility.corrected',
    'margin_notice.approaching',
    'webhook.failing',
    'webhook.disabled',
    'api_key.expiring',
  ])
})

describe.each(EVENT_TYPES)('the event catalogue of %s', (type) => {
  const [, section = ''] = catalogue.split(`\n## ${type}\n`)
  const [, shown = ''] = /```json\n([^`]+)```/.exec(section) ?? []

  test('the event catalogue shows the data of the example of the code', () => {
    const data = JSON.parse(shown)
    expect(data).toEqual(exampleEvent(type).data)
    expect(eventDefinition(type).data.safeParse(data).error?.issues).toBeUndefined()
  })

  test('the event catalogue names each member of the data, in order', () => {
    const [table = ''] = section.split('```json')
    const members = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)
    expect(members).toEqual(Object.keys(eventDefinition(type).data.shape))
  })
})

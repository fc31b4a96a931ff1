import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EVENT_TYPES, simulatedDataSchema } from '../../../src/domain/events/event-types.ts'

const page = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8')
const rows = new Map(
  [...page.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \| (.*) \|$/gm)].map(([, type, data]) => [
    type,
    data,
  ]),
)

test('docs/webhooks.md names every event type, once', () => {
  expect([...rows.keys()]).toEqual(EVENT_TYPES)
})

test.each(EVENT_TYPES)('docs/webhooks.md names the data of %s, in its order', (type) => {
  const outside = (rows.get(type) ?? '').replace(/\([^)]*\)/g, '')
  const members = [...outside.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  expect(members).toEqual(Object.keys(simulatedDataSchema(type).shape))
})

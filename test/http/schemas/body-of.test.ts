import { expect, test } from 'vitest'
import { z } from 'zod'
import { bodyOf, camelCased } from '../../../src/http/schemas/body-of.ts'

const showLoan = bodyOf(
  z.strictObject({
    loan_id: z.string(),
    opened_at: z.string(),
    closed_at: z.string().nullable(),
    external_id: z.string().optional(),
    parts: z.array(z.strictObject({ paid_at: z.string() })),
    p95_ms: z.int(),
  }),
)

test('a body has the members of its schema and no other member of the row', () => {
  const at = new Date('2026-11-22T12:00:00Z')
  const row = { loanId: 'one', openedAt: at, parts: [{ paidAt: at, secret: 'x' }], p95Ms: 0 }
  expect(showLoan({ ...row, closedAt: undefined, ...{ secret: 'x' } })).toEqual({
    loan_id: 'one',
    opened_at: '2026-11-22T12:00:00.000Z',
    closed_at: null,
    parts: [{ paid_at: '2026-11-22T12:00:00.000Z' }],
    p95_ms: 0,
  })
})

test('members of a request get the names of the code', () => {
  expect(camelCased({ tenant_id: 'ten', p95_ms: 1 })).toEqual({ tenantId: 'ten', p95Ms: 1 })
})

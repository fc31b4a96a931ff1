import { afterAll, beforeAll, test } from 'vitest'
import { reportClock } from '../docs/examples/stories/clock.ts'
import { reportCompliance } from '../docs/examples/stories/compliance.ts'
import { reportCustodian } from '../docs/examples/stories/custodian.ts'
import { reportPayments } from '../docs/examples/stories/payments.ts'
import { reportPrice } from '../docs/examples/stories/price.ts'
import type { TestApi } from './support/api/api.ts'
import { startLendingApi } from './support/lending/lending-api.ts'

/** Providers take their seconds, and the stories share what the machine has. */
const PATIENCE_MS = 90_000

let api: TestApi
beforeAll(async () => {
  api = await startLendingApi()
})
afterAll(() => api[Symbol.asyncDispose]())

const loan = ['borrower.eligible', 'facility.decisioned']
const payOff = ['repayment.applied', 'facility.closed']

test.concurrent.for([
  [
    'price',
    reportPrice,
    [...loan, 'draw.completed', 'margin_warning.raised', 'margin_warning.cured', ...payOff],
  ],
  [
    'clock',
    reportClock,
    [
      ...loan,
      'draw.completed',
      'margin_warning.raised',
      'margin_warning.escalated',
      'margin_call.started',
      'margin_call.completed',
      ...payOff,
    ],
  ],
  ['compliance', reportCompliance, ['borrower.eligible']],
  ['custodian', reportCustodian, [...loan, 'draw.failed', 'draw.completed', ...payOff]],
  [
    'payments',
    reportPayments,
    [...loan, 'draw.failed', 'draw.completed', 'repayment.failed', 'repayment.applied', ...payOff],
  ],
] as const)(
  'the story of docs/examples/stories/%s.ts comes out as it is told',
  { timeout: PATIENCE_MS },
  async ([, tell, types], context) => {
    const { client } = await api.addTenant()
    const told: string[] = []
    await tell({ client, say: (text) => told.push(text) })
    const events = told.flatMap((line) => /^ {2}(\w+\.\w+) /.exec(line)?.[1] ?? [])
    context.expect(events).toEqual(types)
  },
)

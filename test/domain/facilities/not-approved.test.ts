import { expect, test } from 'vitest'
import { notApproved } from '../../../src/domain/facilities/not-approved.ts'

test.each([
  ['PENDING', 'wait for facility.decisioned.'],
  ['DECLINED', 'read its decline_reasons, and apply for a new one.'],
  ['CLOSING', 'wait for facility.closed; to borrow again, apply for a new one then.'],
  ['CLOSED', 'to borrow again, apply for a new one.'],
] as const)('a facility that is %s is refused with what to do next', (state, next) => {
  expect(notApproved(state)).toMatchObject({
    code: 'facility_not_approved',
    message: `The facility is ${state}: ${next}`,
  })
})

import { describe, expect, test } from 'vitest'
import type { CheckKind, CheckStatus } from '../../../src/db/schema/onboarding.ts'
import { describeIneligible } from '../../../src/domain/onboarding/describe-ineligible.ts'
import type { ContractDocument } from '../../../src/domain/onboarding/documents.ts'

const AT = new Date('2026-11-20T10:00:00Z')
const END = 'Wait for borrower.eligible. If it does not arrive, ask the operator.'

const document = (
  contractType: string,
  rest: Partial<ContractDocument> = {},
): ContractDocument => ({
  contractType,
  contractVersion: '2026-11',
  title: contractType,
  downloadUrl: 'https://example.com/x.pdf',
  contentType: 'application/pdf',
  publishedAt: AT,
  supersededAt: undefined,
  retiredAt: undefined,
  ...rest,
})
const signature = (contractType: string, contractVersion = '2026-11') => ({
  id: 'sig_1',
  fullName: 'Ada Lovelace',
  contractType,
  contractVersion,
  recordedAt: AT,
})
const check = (kind: CheckKind, status: CheckStatus) => ({ kind, status })

const LOAN = document('loan')
const TERMS = document('terms')
const SIGNED = [signature('loan'), signature('terms')]
const PASSED = [check('kyc', 'passed'), check('aml', 'passed')]

function describeWith(facts: Partial<Parameters<typeof describeIneligible>[0]>): string {
  const whole = { documents: [LOAN, TERMS], signatures: SIGNED, checks: PASSED, graceDays: 30 }
  return describeIneligible({ ...whole, ...facts })
}

describe('the reasons why a borrower is not eligible', () => {
  test('the reasons name each unsigned document by type and version, and no check before the first signature', () => {
    expect(describeWith({ signatures: [], checks: [] })).toBe(
      `The borrower is not eligible yet. Not signed yet (POST /v1/borrowers/{borrower_id}/signatures): loan 2026-11, terms 2026-11. ${END}`,
    )
    expect(describeWith({ signatures: [signature('loan')] })).toContain(': terms 2026-11.')
  })

  test('the reasons name a document that was signed in a version that no longer counts', () => {
    const old = document('loan', { contractVersion: '2025-01', supersededAt: new Date(0) })
    const signatures = [signature('loan', '2025-01'), signature('terms')]
    expect(describeWith({ documents: [old, LOAN, TERMS], signatures })).toContain(': loan 2026-11.')
    const recent = { ...old, supersededAt: AT }
    expect(describeWith({ documents: [recent, LOAN, TERMS], signatures })).not.toContain(
      'Not signed',
    )
  })

  test('the reason is that there is nothing to sign when nothing is published', () => {
    const retired = document('loan', { retiredAt: AT })
    for (const documents of [[], [retired]]) {
      expect(describeWith({ documents, signatures: [], checks: [] })).toBe(
        `The borrower is not eligible yet. There is no document to sign: the operator has not published any for this tenant. ${END}`,
      )
    }
  })

  test.each([
    ['pending', 'Its identity check is under way.'],
    ['review', "Its identity check waits for the operator's review."],
    ['failed', 'Its identity check has not passed; ask the operator.'],
  ] as const)('an identity check that is %s', (status, sentence) => {
    for (const kind of ['kyc', 'kyb'] as const) {
      const checks = [check(kind, status), check('aml', 'passed')]
      expect(describeWith({ checks })).toBe(`The borrower is not eligible yet. ${sentence} ${END}`)
    }
  })

  test('checks that have not begun are described as in progress', () => {
    expect(describeWith({ checks: [] })).toBe(
      `The borrower is not eligible yet. Its identity check is under way. Its screening is not complete. ${END}`,
    )
  })
})

test('a screening with a finding is described like a screening that is not complete', () => {
  const described = (['pending', 'review', 'failed'] as const).map((status) =>
    describeWith({
      checks: [check('kyc', 'passed'), check('aml', 'passed'), check('aml', status)],
    }),
  )
  expect(new Set(described)).toEqual(
    new Set([`The borrower is not eligible yet. Its screening is not complete. ${END}`]),
  )
})

test('where nothing is missing, as for a borrower blocked meanwhile, no reason is given', () => {
  expect(describeWith({})).toBe(
    `The borrower is not eligible yet. Its documents are signed and its checks have passed. ${END}`,
  )
})

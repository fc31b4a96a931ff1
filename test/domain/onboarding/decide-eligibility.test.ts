import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addMs, DAY_MS } from '../../../src/core/time.ts'
import {
  type CheckFacts,
  decideEligibility,
  type EligibilityFacts,
  type SignatureFacts,
} from '../../../src/domain/onboarding/decide-eligibility.ts'
import {
  acceptsSignature,
  type ContractDocument,
  isRequired,
} from '../../../src/domain/onboarding/documents.ts'
import { contract, GRACE_DAYS } from '../../support/lending/onboarding.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')

function document(rest: Partial<ContractDocument> = {}): ContractDocument {
  return {
    ...contract(),
    publishedAt: NOW,
    supersededAt: undefined,
    retiredAt: undefined,
    ...rest,
  }
}

function signature(rest: Partial<SignatureFacts> = {}): SignatureFacts {
  return {
    id: 'sig_1',
    fullName: 'Ada Lovelace',
    contractType: 'master_loan_agreement',
    contractVersion: '2026-01',
    recordedAt: NOW,
    ...rest,
  }
}

const PASSED: CheckFacts[] = [
  { kind: 'kyc', subject: 'borrower', status: 'passed' },
  { kind: 'aml', subject: 'ada lovelace', status: 'passed' },
]

function facts(rest: Partial<EligibilityFacts> = {}): EligibilityFacts {
  return {
    borrower: { type: 'individual', kycAttested: true, isBlocked: false },
    documents: [document()],
    signatures: [signature()],
    checks: PASSED,
    graceDays: GRACE_DAYS,
    ...rest,
  }
}

const isEligible = (rest: Partial<EligibilityFacts>) => decideEligibility(facts(rest)).eligible

describe('a borrower is eligible', () => {
  test('a borrower is eligible when every document is signed and every check has passed', () => {
    expect(decideEligibility(facts())).toEqual({ open: [], eligible: true })
  })

  test.each<[string, Partial<EligibilityFacts>]>([
    ['nothing is signed', { signatures: [] }],
    ['the tenant has no documents', { documents: [] }],
    ['its only document is retired', { documents: [document({ retiredAt: NOW })] }],
    [
      'one of two documents is unsigned',
      { documents: [document(), document({ contractType: 'privacy_notice' })] },
    ],
    ['the identity check is missing', { checks: PASSED.slice(1) }],
    ['the screening is missing', { checks: PASSED.slice(0, 1) }],
    [
      'a further signer is not screened yet',
      { signatures: [signature(), signature({ id: 'sig_2', fullName: 'Charles Babbage' })] },
    ],
    [
      'the operator has blocked it',
      { borrower: { type: 'individual', kycAttested: true, isBlocked: true } },
    ],
    [
      'it is a business and only KYC has passed',
      { borrower: { type: 'business', kycAttested: true, isBlocked: false } },
    ],
    ...(['pending', 'review', 'failed'] as const).map(
      (status): [string, Partial<EligibilityFacts>] => [
        `a check is ${status}`,
        { checks: PASSED.map((check) => (check.kind === 'kyc' ? { ...check, status } : check)) },
      ],
    ),
  ])('a borrower is not eligible while %s', (_condition, rest) => {
    expect(isEligible(rest)).toBe(false)
  })

  test('a version signed in its grace days counts, however late it is evaluated', () => {
    const documents = [
      document({ supersededAt: NOW }),
      document({ contractVersion: '2026-12', publishedAt: NOW }),
    ]
    const signedAfter = (ms: number) => [signature({ recordedAt: addMs(NOW, ms) })]
    expect(isEligible({ documents, signatures: signedAfter(-DAY_MS) })).toBe(true)
    expect(isEligible({ documents, signatures: signedAfter(GRACE_DAYS * DAY_MS) })).toBe(true)
    expect(isEligible({ documents, signatures: signedAfter(GRACE_DAYS * DAY_MS + 1) })).toBe(false)
  })
})

describe('checks to open', () => {
  const opened = (rest: Partial<EligibilityFacts>) =>
    decideEligibility(facts({ checks: [], ...rest })).open.map(
      ({ kind, subject, status }) => `${kind} ${subject} ${status}`,
    )

  test('no checks are opened before the first signature', () => {
    expect(opened({ signatures: [] })).toEqual([])
  })

  test('the identity check and one screening for each name are opened, however the name is typed', () => {
    const names = ['Ada Lovelace', ' ada  LOVELACE ', 'Ａｄａ Lovelace', 'Charles Babbage']
    const signatures = names.map((fullName, index) => signature({ id: `sig_${index}`, fullName }))
    expect(opened({ signatures })).toEqual([
      'kyc borrower pending',
      'aml ada lovelace pending',
      'aml charles babbage pending',
    ])
  })

  test('the checks of a business are KYB', () => {
    const borrower = { type: 'business' as const, kycAttested: true, isBlocked: false }
    expect(opened({ borrower })).toEqual(['kyb borrower pending', 'aml ada lovelace pending'])
  })

  test('checks go to the operator where the tenant has not attested KYC', () => {
    const borrower = { type: 'individual' as const, kycAttested: false, isBlocked: false }
    expect(opened({ borrower })).toEqual(['kyc borrower review', 'aml ada lovelace pending'])
  })

  test('a check that exists is never opened again, whatever its result', () => {
    for (const status of ['pending', 'review', 'passed', 'failed'] as const) {
      expect(opened({ checks: PASSED.map((check) => ({ ...check, status })) })).toEqual([])
    }
  })
})

describe('whatever the facts', () => {
  const contractTypes = ['master_loan_agreement', 'privacy_notice']
  const versions = ['2026-01', '2026-06']
  const names = ['Ada Lovelace', 'Charles Babbage']
  const day = fc.integer({ min: -60, max: 60 }).map((days) => addMs(NOW, days * DAY_MS))

  const anySignature = fc.record({
    id: fc.constantFrom('sig_1', 'sig_2', 'sig_3'),
    fullName: fc.constantFrom(...names),
    contractType: fc.constantFrom(...contractTypes),
    contractVersion: fc.constantFrom(...versions),
    recordedAt: day,
  })
  const anyStatus = fc.constantFrom('passed' as const, 'passed' as const, 'pending' as const)
  const anyCheck: fc.Arbitrary<CheckFacts> = fc.oneof(
    fc.record({
      kind: fc.constantFrom('kyc' as const, 'kyb' as const),
      subject: fc.constant('borrower'),
      status: anyStatus,
    }),
    fc.record({
      kind: fc.constant('aml' as const),
      subject: fc.constantFrom(...names.map((name) => name.toLowerCase())),
      status: anyStatus,
    }),
  )
  /** As the table holds them: one check of a kind and subject. */
  const anyChecks = fc.uniqueArray(anyCheck, {
    maxLength: 5,
    selector: (check) => `${check.kind} ${check.subject}`,
  })
  const anyDocuments = fc
    .tuple(fc.subarray(contractTypes), day, fc.boolean())
    .map(([types, supersededAt, hasOld]) =>
      types.flatMap((contractType) => [
        ...(hasOld ? [document({ contractType, contractVersion: '2026-01', supersededAt })] : []),
        document({ contractType, contractVersion: '2026-06' }),
      ]),
    )
  const anyFacts: fc.Arbitrary<EligibilityFacts> = fc.record({
    borrower: fc.record({
      type: fc.constantFrom('individual' as const, 'business' as const),
      kycAttested: fc.boolean(),
      isBlocked: fc.constantFrom(false, false, false, true),
    }),
    documents: anyDocuments,
    signatures: fc.array(anySignature, { maxLength: 6 }),
    checks: anyChecks,
    graceDays: fc.constant(GRACE_DAYS),
  })
  /** Facts of which a good part is eligible: random ones rarely are. */
  const mostlyEligible = anyFacts.map((given) => ({
    ...given,
    signatures: [
      ...given.signatures,
      ...given.documents
        .filter(isRequired)
        .map(({ contractType, contractVersion }) => signature({ contractType, contractVersion })),
    ],
    checks: [
      ...(['kyc', 'kyb'] as const).map((kind) => ({ kind, subject: 'borrower' })),
      ...names.map((name) => ({ kind: 'aml' as const, subject: name.toLowerCase() })),
    ].map((check) => ({ ...check, status: 'passed' as const })),
  }))
  const someFacts = fc.oneof(anyFacts, mostlyEligible)

  test('eligible means every listed document accepted, every check passed, and no block', () => {
    let eligibleCount = 0
    fc.assert(
      fc.property(someFacts, (given) => {
        const { eligible, open } = decideEligibility(given)
        if (!eligible) return
        eligibleCount += 1
        const required = given.documents.filter(isRequired)
        expect(required.length).toBeGreaterThan(0)
        for (const { contractType } of required) {
          const accepted = given.signatures.some((signed) =>
            given.documents.some(
              (candidate) =>
                candidate.contractType === contractType &&
                signed.contractType === contractType &&
                candidate.contractVersion === signed.contractVersion &&
                acceptsSignature(candidate, signed.recordedAt, GRACE_DAYS),
            ),
          )
          expect(accepted).toBe(true)
        }
        const passed = (kind: string, subject: string) =>
          given.checks.some(
            (check) =>
              check.kind === kind && check.subject === subject && check.status === 'passed',
          )
        expect(passed(given.borrower.type === 'business' ? 'kyb' : 'kyc', 'borrower')).toBe(true)
        for (const { fullName } of given.signatures) {
          expect(passed('aml', fullName.toLowerCase())).toBe(true)
        }
        expect(open).toEqual([])
        expect(given.borrower.isBlocked).toBe(false)
      }),
      { numRuns: 500 },
    )
    expect(eligibleCount).toBeGreaterThan(50)
  })

  test('a further signature by a screened name, or a passed check, never takes eligibility away', () => {
    fc.assert(
      fc.property(mostlyEligible, anySignature, anyCheck, (given, signed, check) => {
        fc.pre(decideEligibility(given).eligible)
        const signatures = [...given.signatures, signed]
        expect(decideEligibility({ ...given, signatures }).eligible).toBe(true)
        const checks = [
          ...given.checks,
          { ...check, subject: 'another', status: 'passed' as const },
        ]
        expect(decideEligibility({ ...given, checks }).eligible).toBe(true)
      }),
    )
  })

  test('the passing of a check never takes eligibility away', () => {
    fc.assert(
      fc.property(someFacts, fc.nat(), (given, at) => {
        const before = decideEligibility(given).eligible
        const checks = given.checks.map((check, index) =>
          index === at % given.checks.length ? { ...check, status: 'passed' as const } : check,
        )
        const after = decideEligibility({ ...given, checks }).eligible
        expect(!before || after).toBe(true)
      }),
    )
  })

  test('the order of signatures changes neither the decision nor the checks', () => {
    const shuffled = someFacts.chain((given) =>
      fc.tuple(
        fc.constant(given),
        fc.shuffledSubarray([...given.signatures], { minLength: given.signatures.length }),
      ),
    )
    const outcome = (given: EligibilityFacts) => {
      const { eligible, open } = decideEligibility(given)
      return { eligible, open: open.map(({ kind, subject }) => `${kind} ${subject}`).sort() }
    }
    fc.assert(
      fc.property(shuffled, ([given, signatures]) => {
        expect(outcome({ ...given, signatures })).toEqual(outcome(given))
      }),
    )
  })
})

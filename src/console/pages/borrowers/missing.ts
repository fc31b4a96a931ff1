import type { Borrower, ContractDocument, Signature } from '../../../client/index.ts'
import type { consoleApi } from '../../data/console-api.ts'

export type Check = Awaited<ReturnType<typeof consoleApi.listChecks>>['items'][number]

export type DocumentState = {
  document: ContractDocument
  signature: Signature | undefined
  /** Of another version of the same contract. */
  earlier: Signature | undefined
}

export function matchDocuments(
  documents: readonly ContractDocument[],
  signatures: readonly Signature[],
): DocumentState[] {
  return documents.map((document) => {
    const ofType = signatures.filter((it) => it.contract_type === document.contract_type)
    const isSame = (it: Signature) => it.contract_version === document.contract_version
    return {
      document,
      signature: ofType.findLast(isSame),
      earlier: ofType.findLast((it) => !isSame(it)),
    }
  })
}

/** What still has to happen before the borrower is eligible, in order. */
export function describeMissing(
  { kyc_attested: isAttested }: Borrower,
  documents: readonly DocumentState[],
  checks: readonly Check[],
): string[] {
  if (documents.length === 0) return ['No document has been published for you. Ask the operator.']
  const unsigned = documents.filter(({ signature }) => !signature)
  const isStarted = documents.some(({ signature, earlier }) => signature ?? earlier)
  return [
    ...unsigned.map(({ document }) => `${document.title} is not signed.`),
    ...(isStarted
      ? [
          isAttested
            ? describeChecks(checks)
            : 'You have not attested KYC, so the operator reviews the identity.',
        ]
      : ['The checks begin with the first signature.']),
    'borrower.eligible is emitted when all is done.',
  ]
}

/** A check that has failed is decided; one under review waits for the lender. */
function describeChecks(checks: readonly Check[]): string {
  if (checks.some(({ status }) => status === 'failed')) {
    return 'A check has failed. Only the lender can overrule it.'
  }
  if (checks.some(({ status }) => status === 'review')) {
    return 'A check is under review by the lender.'
  }
  return 'The checks of identity and names have not all passed yet.'
}

import type { Call, CallOptions } from '../call.ts'
import { listPages, listWhole } from '../listing.ts'
import type { Query } from '../operation-types.ts'
import type {
  Borrower,
  NewBorrower,
  NewSignature,
  Portfolio,
  PortfolioPush,
  PortfolioSnapshot,
  PortfolioSource,
} from './resources.ts'

/** Contracts, borrowers, their signatures and what they hold (interface, Onboarding). */
export function onboardingMethods(call: Call) {
  return {
    /** The documents that each borrower must sign before becoming eligible. */
    listDocuments: (options?: CallOptions) => listWhole(call, 'listDocuments', { ...options }),

    createBorrower: (borrower: NewBorrower, options?: CallOptions): Promise<Borrower> =>
      call('createBorrower', { ...options, body: borrower }),

    getBorrower: (borrowerId: string, options?: CallOptions): Promise<Borrower> =>
      call('getBorrower', { ...options, path: { borrower_id: borrowerId } }),

    /** Newest first. */
    listBorrowers: (query: Query<'listBorrowers'> = {}, options?: CallOptions) =>
      listPages(call, 'listBorrowers', { ...options, query }),

    /** One document signed by one borrower; signatures are never batched. */
    submitSignature: (
      borrowerId: string,
      signed: NewSignature,
      options?: CallOptions,
    ): Promise<undefined> =>
      call('submitSignature', { ...options, path: { borrower_id: borrowerId }, body: signed }),

    /** Oldest first. */
    listSignatures: (borrowerId: string, options?: CallOptions) =>
      listWhole(call, 'listSignatures', { ...options, path: { borrower_id: borrowerId } }),

    /**
     * Everything that a borrower holds. The newest `as_of` wins in whatever order pushes arrive; the
     * answer tells whether this one did.
     */
    putPortfolio: (
      borrowerId: string,
      snapshot: PortfolioSnapshot,
      options?: CallOptions,
    ): Promise<PortfolioPush> =>
      call('putPortfolio', { ...options, path: { borrower_id: borrowerId }, body: snapshot }),

    /** The newest snapshot as it was pushed. */
    getPortfolio: (borrowerId: string, options?: CallOptions): Promise<Portfolio> =>
      call('getPortfolio', { ...options, path: { borrower_id: borrowerId } }),

    /** Where your borrowers' positions come from; `push` until you choose otherwise. */
    getPortfolioSource: (options?: CallOptions): Promise<PortfolioSource> =>
      call('getPortfolioSource', { ...options }),

    /** With `custodian`, the smaller of what you push and what the custodian holds counts. */
    setPortfolioSource: (
      mode: PortfolioSource['mode'],
      options?: CallOptions,
    ): Promise<PortfolioSource> => call('setPortfolioSource', { ...options, body: { mode } }),
  }
}

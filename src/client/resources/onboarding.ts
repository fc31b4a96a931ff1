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
  Whoami,
} from './resources.ts'

export function onboardingMethods(call: Call) {
  return {
    /** The key that signs, when it expires, and the limits; with any scope. */
    whoami: (options?: CallOptions): Promise<Whoami> => call('whoami', { ...options }),

    /** The contracts that each borrower must sign to become eligible. */
    listDocuments: (options?: CallOptions) => listWhole(call, 'listDocuments', { ...options }),

    createBorrower: (borrower: NewBorrower, options?: CallOptions): Promise<Borrower> =>
      call('createBorrower', { ...options, body: borrower }),

    getBorrower: (borrowerId: string, options?: CallOptions): Promise<Borrower> =>
      call('getBorrower', { ...options, path: { borrower_id: borrowerId } }),

    /** Newest first. */
    listBorrowers: (query: Query<'listBorrowers'> = {}, options?: CallOptions) =>
      listPages(call, 'listBorrowers', { ...options, query }),

    submitSignature: (
      borrowerId: string,
      signed: NewSignature,
      options?: CallOptions,
    ): Promise<undefined> =>
      call('submitSignature', { ...options, path: { borrower_id: borrowerId }, body: signed }),

    /** Oldest first. */
    listSignatures: (borrowerId: string, options?: CallOptions) =>
      listWhole(call, 'listSignatures', { ...options, path: { borrower_id: borrowerId } }),

    /** Replaces the portfolio. The newest `as_of` wins, in any order of arrival. */
    putPortfolio: (
      borrowerId: string,
      snapshot: PortfolioSnapshot,
      options?: CallOptions,
    ): Promise<PortfolioPush> =>
      call('putPortfolio', { ...options, path: { borrower_id: borrowerId }, body: snapshot }),

    getPortfolio: (borrowerId: string, options?: CallOptions): Promise<Portfolio> =>
      call('getPortfolio', { ...options, path: { borrower_id: borrowerId } }),

    getPortfolioSource: (options?: CallOptions): Promise<PortfolioSource> =>
      call('getPortfolioSource', { ...options }),

    /** With `custodian`, the smaller of your quantity and the custodian's counts. */
    setPortfolioSource: (
      mode: PortfolioSource['mode'],
      options?: CallOptions,
    ): Promise<PortfolioSource> => call('setPortfolioSource', { ...options, body: { mode } }),
  }
}

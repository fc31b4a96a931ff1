import { Refusal } from '../../../core/errors.ts'
import type { Db } from '../../../db/database.ts'
import { type MarginPolicy, type MarginTerms, type TermsInForce, toMarginTerms } from '../policy.ts'
import { selectBoundVersions } from '../versions/version-queries.ts'
import { type MarketRates, type PassTerms, toPassTerms, toRates } from './rates.ts'
import type { Market } from './scenario.ts'

/** By which terms the facilities of a book are decided: each by its own, or all by one. */
export type BookTerms = { own: TermsInForce } | { all: MarginTerms }

/** A pass over the facilities that are bound to a version, or over all. */
export type Pass = { markets: readonly MarketRates[]; terms: PassTerms }

export function forAll(policy: MarginPolicy): BookTerms {
  return { all: toMarginTerms(policy) }
}

/** As if every loan were bound to a stored version, or to that in force, with `change` made to it. Each
 * loan's own where both are left out. Refuses `not_found` for a version that binds nothing. */
export function chooseTerms(
  own: TermsInForce,
  version: number | undefined,
  change: ((base: MarginPolicy) => MarginTerms) | undefined,
): BookTerms {
  if (version === undefined && change === undefined) return { own }
  const found = own.versions.find(({ policy }) => policy.termsVersion === version)
  if (version !== undefined && !found) {
    throw new Refusal(
      'not_found',
      `The margin policy has no version ${version}, or it was withdrawn.`,
    )
  }
  const base = (found ?? own).marginPolicy
  return { all: change ? change(base) : toMarginTerms(base) }
}

/** Without those of versions to which nothing is bound. */
export async function toPasses(
  db: Db,
  book: BookTerms,
  markets: readonly Market[],
): Promise<Pass[]> {
  const passBy = (terms: MarginTerms, bound?: PassTerms['bound']): Pass => ({
    markets: markets.map((market) => toRates(market, terms)),
    terms: { ...toPassTerms(terms), bound },
  })
  if ('all' in book) return [passBy(book.all)]
  const inForce = book.own.policy.termsVersion
  const bound = new Set(await selectBoundVersions(db, inForce))
  const versions = book.own.versions.filter(({ policy }) => bound.has(policy.termsVersion))
  // An empty book has the terms in force.
  const used = versions.length > 0 ? versions : [book.own]
  return used.map(({ policy, marginPolicy }) =>
    passBy(toMarginTerms(marginPolicy), { version: policy.termsVersion, inForce }),
  )
}

/** Each that a sale may go by. */
export function termsIn(book: BookTerms): MarginTerms[] {
  if ('all' in book) return [book.all]
  return book.own.versions.map(({ marginPolicy }) => toMarginTerms(marginPolicy))
}

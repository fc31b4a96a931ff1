import { InvalidArgumentError } from 'commander'
import { PRICED_ASSETS, parseDecimal } from '../../core/money.ts'
import { readBook } from '../../domain/margin/book/book.ts'
import { toBookBody, toListBody, toListedBody } from '../../domain/margin/book/book-document.ts'
import { BOOK_FIGURES, type BookFigure } from '../../domain/margin/book/figures.ts'
import { listBook } from '../../domain/margin/book/list-book.ts'
import type { Tier } from '../../domain/margin/policy.ts'
import { type CliCommand, read } from '../command/commands.ts'
import { OF_TENANT } from '../command/members.ts'
import { nameItems } from '../command/name-items.ts'
import { NO_CURSORS, readId } from '../command/options.ts'
import { type Answer, formatAnswer, formatItems } from '../command/output.ts'
import { counting, type Given, optional } from '../command/parameters.ts'
import type { Session } from '../command/session.ts'

const MOST_LISTED = 10_000

const BOOK = {
  figure: optional<BookFigure>('[figure]', 'the figure to list', BOOK_FIGURES),
  tenantId: OF_TENANT,
  borrowerId: optional('--borrower <id>', 'of a list: one borrower, bor_…', readId('bor')),
  country: optional('--country <code>', "of a list: the borrower's country, such as DE"),
  asset: optional('--asset <asset>', 'of a list: held', PRICED_ASSETS),
  tier: optional('--tier <tier>', 'of a list: warned at', ['1', '2', '3'] as const),
  aboveLtvPpm: optional('--above-ltv <ratio>', 'of a list: above it', readRatio),
  toLtvPpm: optional('--to-ltv <ratio>', 'of a list: at or below it', readRatio),
  limit: counting('--limit <number>', 'of a list: how many are shown', [1, MOST_LISTED], 50),
}

export const BOOK_COMMANDS: CliCommand[] = [
  read({
    name: 'book',
    about:
      'What all facilities owe and hold now: exposure, commitments, ratios, concentration, warnings, margin calls, deficits, interest. With a figure, the facilities that make it up, the largest part first.',
    examples: [
      'book',
      'book --tenant ten_… --json',
      'book warnings --tier 3',
      'book exposure --country DE',
    ],
    takes: BOOK,
    async read(session, { figure, ...given }) {
      if (figure !== undefined) return await listFacilities(session, { ...given, figure })
      const { db, now } = session
      const book = toBookBody(await readBook(db, session, given.tenantId, now))
      const { collateral, borrowers } = book
      const assets = collateral.assets.filter(({ facilities }) => facilities > 0)
      const named = await nameItems(db, borrowers)
      const shown = { ...book, collateral: { ...collateral, assets }, borrowers: named }
      return { data: book, shown }
    },
  }),
]

async function listFacilities(
  session: Session,
  { limit, tier, ...given }: Given<typeof BOOK> & { figure: BookFigure },
): Promise<Answer> {
  const { db, now } = session
  const filter = { ...given, at: now, tier: tier && (Number(tier) as Tier) }
  const asked = { request: { limit }, cursors: NO_CURSORS }
  const found = await listBook(db, session, filter, asked)
  const items = found.items.map(toListedBody)
  const sums = toListBody(found)
  const header = {
    ...{ read_at: sums.read_at, facilities: `${sums.facilities}, ${sums.amount_usd} USD` },
    ...(found.hasMore && { shown: `the first ${items.length}: --limit shows more` }),
  }
  const table = items.length === 0 ? [] : [formatItems(await nameItems(db, items), COLUMNS)]
  return {
    data: { ...sums, has_more: found.hasMore, items },
    shown: [formatAnswer(header), ...table].join('\n\n'),
  }
}

const COLUMNS = [
  ...['facility_id', 'external_id', 'tenant_id', 'country', 'amount_usd', 'exposure_usd'],
  ...['collateral_value_usd', 'ltv', 'warning.tier'],
]

function readRatio(text: string): bigint {
  const ppm = parseDecimal(text, 6)
  if (ppm !== undefined) return ppm
  throw new InvalidArgumentError('Expected a ratio such as 0.70.')
}

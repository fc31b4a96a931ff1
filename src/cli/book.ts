import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { PRICED_ASSETS, parseDecimal } from '../core/money.ts'
import { DEFAULT_POLICY } from '../domain/facilities/policy.ts'
import { readBook } from '../domain/margin/book/book.ts'
import { BOOK_FIGURES, type BookFigure } from '../domain/margin/book/figures.ts'
import { listBook } from '../domain/margin/book/list-book.ts'
import type { Tier } from '../domain/margin/policy.ts'
import { createTermsAt } from '../domain/margin/versions/terms-at.ts'
import { reportBook, reportFacilities } from './book-report.ts'
import type { CliIo } from './command/cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from './command/define-command.ts'
import { readId, readWholeNumber } from './command/options.ts'
import { assertTenant } from './command/session.ts'

type BookOptions = CommonOptions & {
  tenant?: string
  borrower?: string
  country?: string
  asset?: string
  tier?: string
  aboveLtv?: bigint
  toLtv?: bigint
  limit: number
}

const MOST_LISTED = 10_000
const NO_CURSORS = { encode: () => '', decode: () => undefined }

export function addBookCommand(program: Command, io: CliIo): void {
  defineCommand(
    program,
    'book',
    'What all facilities owe and hold now: exposure, commitments, ratios, concentration, warnings, margin calls, deficits, interest. With a figure, the facilities that make it up, the largest part first.',
    ['book', 'book --tenant ten_… --json', 'book warnings --tier 3', 'book exposure --country DE'],
  )
    .addArgument(new Argument('[figure]', 'the figure to list').choices(BOOK_FIGURES))
    .option('--tenant <id>', 'of one tenant, ten_…', readId('ten'))
    .option('--borrower <id>', 'of a list: one borrower, bor_…', readId('bor'))
    .option('--country <code>', "of a list: the borrower's country, such as DE")
    .addOption(new Option('--asset <asset>', 'of a list: held').choices(PRICED_ASSETS))
    .addOption(new Option('--tier <tier>', 'of a list: warned at').choices(['1', '2', '3']))
    .option('--above-ltv <ratio>', 'of a list: above it', readRatio)
    .option('--to-ltv <ratio>', 'of a list: at or below it', readRatio)
    .option(
      '--limit <number>',
      'of a list: how many are shown',
      readWholeNumber(1, MOST_LISTED),
      50,
    )
    .action(async (figure: BookFigure | undefined, options: BookOptions) => {
      const config = io.loadConfig()
      const own = { policy: DEFAULT_POLICY, marginPolicy: config.marginPolicy }
      const termsAt = createTermsAt(own, io.clock)
      const source = { prices: io.choosePrices(config), stack: config.stack, termsAt }
      await runCommand(io, options, async (session) => {
        const { db, now: at } = session
        const { tenant: tenantId, borrower: borrowerId, limit, tier, country, asset } = options
        if (tenantId !== undefined) await assertTenant(session, tenantId)
        if (figure === undefined) {
          return await reportBook(db, await readBook(db, source, tenantId, at))
        }
        const ratios = { aboveLtvPpm: options.aboveLtv, toLtvPpm: options.toLtv }
        const narrowed = {
          borrowerId,
          country,
          asset,
          tier: tier === undefined ? undefined : toTier(tier),
        }
        const filter = { figure, tenantId, at, ...ratios, ...narrowed }
        const list = { request: { limit }, cursors: NO_CURSORS }
        return await reportFacilities(db, await listBook(db, source, filter, list))
      })
    })
}

const toTier = (text: string) => Number(text) as Tier

function readRatio(text: string): bigint {
  const ppm = parseDecimal(text, 6)
  if (ppm !== undefined) return ppm
  throw new InvalidArgumentError('Expected a ratio such as 0.70.')
}

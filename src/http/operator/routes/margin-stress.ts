import { applyTerms } from '../../../domain/margin/margin-terms.ts'
import { chooseTerms } from '../../../domain/margin/stress/book-terms.ts'
import { compareBook } from '../../../domain/margin/stress/stress.ts'
import { stressToJson } from '../../../domain/margin/stress/stress-json.ts'
import type { OperatorApp } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import { createSingleRun } from '../single-run.ts'
import { comparisonSchema, readShocks, stressInput } from './stress-schemas.ts'

/** Each of the two passes over the book is cancelled after this. */
const PASS_SECONDS = 30

export function stressRoutes(app: OperatorApp, context: OperatorContext): void {
  const { config, db, prices, clock, clockFor, termsAt } = context
  const source = { prices, clockFor, isShared: config.stack === 'live' }
  const runAlone = createSingleRun(PASS_SECONDS)
  app.post('/margin/stress', {
    id: 'stressBook',
    summary: 'Compare the book of today with the book at other prices or margin terms',
    description:
      'Changes nothing. As `cli margin stress`. One runs at a time in each process, and it is cancelled when it takes too long.',
    tag: 'Margin',
    config: { idempotencyKey: 'ignored' },
    body: stressInput,
    response: { 200: comparisonSchema },
    errors: ['not_found', 'rate_limited'],
    async handler(request) {
      const shocks = readShocks(request.body.prices)
      const { policy, policy_version: version } = request.body
      const own = await termsAt(db, clock())
      const today = { own }
      const terms = chooseTerms(own, version, policy && ((base) => applyTerms(policy, base)))
      return await runAlone(async () => {
        const compared = await compareBook(db, source, { today, terms, shocks }, PASS_SECONDS)
        return {
          today: stressToJson(compared.today, []),
          stressed: stressToJson(compared.stressed, shocks),
        }
      })
    },
  })
}

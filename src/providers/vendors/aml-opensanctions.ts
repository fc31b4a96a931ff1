import { z } from 'zod'
import type { AmlScreener } from '../../domain/onboarding/compliance.ts'
import { vendorText } from './answers.ts'
import type { GuardedHttp } from './guarded-http.ts'

export type AmlSettings = {
  url: string
  /** Undefined for a self-hosted service without keys. */
  apiKey: string | undefined
}

/** Everyone the service knows: who is under sanctions or wanted, and who holds a public office. */
const DATASET = 'default'

/** The threshold of the service itself. A lower one sends the operator more namesakes, a higher one
 * passes names that are written in another way. */
const REVIEW_SCORE = 0.7

const QUERY = 'subject'

const answer = z.object({
  responses: z.object({
    [QUERY]: z.object({
      status: z.literal(200).optional(),
      results: z.array(
        z.object({
          id: vendorText(200),
          score: z.number().min(0),
          match: z.boolean().optional(),
        }),
      ),
    }),
  }),
})

/** The /match endpoint of OpenSanctions or yente, by name and country. A candidate of at least the
 * score, or one the service calls a match, goes to the operator; no check fails by itself. */
export function createOpenSanctionsAml(http: GuardedHttp, settings: AmlSettings): AmlScreener {
  const url = `${settings.url}/match/${DATASET}?threshold=${REVIEW_SCORE}`
  const authorization = settings.apiKey && { authorization: `ApiKey ${settings.apiKey}` }
  return {
    async screen({ tenantId, checkId, subject }) {
      const properties = { name: [subject.fullName], country: [subject.residencyCountry] }
      const { results } = await http.send({
        operation: 'match',
        caller: { tenantId, subject: checkId },
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', ...authorization },
        body: JSON.stringify({ queries: { [QUERY]: { schema: 'Person', properties } } }),
        read: (given) => answer.parse(given).responses[QUERY],
      })
      const hits = results.filter(({ score, match }) => match === true || score >= REVIEW_SCORE)
      if (hits.length === 0) return { status: 'passed' }
      const best = hits.reduce((a, b) => (b.score > a.score ? b : a))
      const note = `${hits.length} possible match(es), the best ${best.id} at ${best.score.toFixed(2)}.`
      return { status: 'review', reference: best.id, note }
    },
  }
}

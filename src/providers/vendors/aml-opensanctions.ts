import { z } from 'zod'
import { ONE_PPM } from '../../core/ratio.ts'
import type { AmlScreener } from '../../domain/onboarding/compliance.ts'
import { vendorText } from './answers.ts'
import type { GuardedHttp } from './guarded-http.ts'

export type AmlSettings = {
  url: string
  /** None for a service of one's own that asks for none. */
  apiKey: string | undefined
  dataset: string
  /** From this score on the operator looks. */
  reviewScorePpm: bigint
}

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

/**
 * Screens on the /match endpoint of OpenSanctions or yente: by the signer's name and the country of
 * residence. A candidate of at least the score, or one that the service itself calls a match, goes
 * to the operator; nobody is failed by a machine.
 */
export function createOpenSanctionsAml(http: GuardedHttp, settings: AmlSettings): AmlScreener {
  const threshold = Number(settings.reviewScorePpm) / Number(ONE_PPM)
  const url = `${settings.url}/match/${encodeURIComponent(settings.dataset)}?threshold=${threshold}`
  const authorization = settings.apiKey && { authorization: `ApiKey ${settings.apiKey}` }
  return {
    async screen({ subject }) {
      const properties = { name: [subject.fullName], country: [subject.residencyCountry] }
      const { results } = await http.send({
        operation: 'match',
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', ...authorization },
        body: JSON.stringify({ queries: { [QUERY]: { schema: 'Person', properties } } }),
        read: (given) => answer.parse(given).responses[QUERY],
      })
      const hits = results.filter(({ score, match }) => match === true || score >= threshold)
      if (hits.length === 0) return { status: 'passed' }
      const best = hits.reduce((a, b) => (b.score > a.score ? b : a))
      const note = `${hits.length} possible match(es), the best ${best.id} at ${best.score.toFixed(2)}.`
      return { status: 'review', reference: best.id, note }
    },
  }
}

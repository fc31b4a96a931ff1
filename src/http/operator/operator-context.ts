import type { IdentityProvider } from '../../domain/people/sign-in/identity-provider.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { Site } from '../browser/same-origin.ts'
import type { RouteContext } from '../route-context.ts'

export type OperatorContext = Pick<
  RouteContext,
  | 'build'
  | 'config'
  | 'db'
  | 'clock'
  | 'clockFor'
  | 'cursors'
  | 'hasRounds'
  | 'logger'
  | 'prices'
  | 'sealer'
  | 'termsAt'
> & {
  metrics: Metrics
  /** Undefined where operators do not sign in by one. */
  deskIdentityProvider: IdentityProvider | undefined
}

export const deskSiteOf = ({ config }: OperatorContext): Site => ({
  name: 'The desk',
  origin: config.desk.origin,
})

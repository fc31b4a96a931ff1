import type { Metrics } from '../../telemetry/metrics.ts'
import type { RouteContext } from '../route-context.ts'

export type OperatorContext = Pick<
  RouteContext,
  'config' | 'db' | 'clock' | 'clockFor' | 'cursors' | 'logger' | 'prices' | 'termsAt'
> & { metrics: Metrics }

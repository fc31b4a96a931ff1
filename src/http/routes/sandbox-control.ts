import type { RouteConfig } from '../route-config.ts'

export function sandboxControl(scope: RouteConfig['scope']): RouteConfig {
  return {
    limitClass: 'sandbox_controls',
    scope,
    idempotencyKey: 'honoured',
    sandboxOnly: true,
  }
}

import type { LimitClass } from '../core/limits/limit-classes.ts'
import type { ConsoleScope } from '../domain/console/roles.ts'

/** `accepted`: checked, not recorded. `ignored`: never read, as on a GET. */
export type KeyUse = 'required' | 'honoured' | 'accepted' | 'ignored'

export type RouteConfig = {
  limitClass: LimitClass
  scope: ConsoleScope
  /** What a person needs in its place. */
  personScope?: ConsoleScope
  idempotencyKey: KeyUse
  /** Its replay shows a secret: the request log keeps nothing by which it could be asked for. */
  makesSecret?: true
  /** 404 `sandbox_only` on the live stack. */
  sandboxOnly?: true
  /** Outlives the session of a person who does it: a passkey is given first. Keys need none. */
  needsConfirmation?: true
  /** Where larger than for other operations. */
  maxBodyBytes?: number
  /** Answers for as long as it is read: its time is no measure of the service. */
  streams?: true
  /** Runs without a token too, and sheds or queues by itself. */
  shedsLoad?: true
}

export function readsWith(scope: ConsoleScope) {
  return { limitClass: 'reads', scope, idempotencyKey: 'ignored' } as const
}

/** On routes that exist only to refuse a method. */
type MethodRefusal = { allow: string }

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<RouteConfig> {
    methodRefusal?: MethodRefusal
  }
}

export function sandboxControl(scope: RouteConfig['scope']): RouteConfig {
  return {
    limitClass: 'sandbox_controls',
    scope,
    idempotencyKey: 'honoured',
    sandboxOnly: true,
  }
}

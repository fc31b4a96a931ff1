import type { LimitClass } from '../core/limits/limit-classes.ts'
import type { Scope } from '../domain/auth/scopes.ts'

/**
 * How an operation treats an Idempotency-Key. `accepted`: its form is checked and it is not recorded.
 * `ignored`: a read, which never reads the header.
 */
export type KeyUse = 'required' | 'honoured' | 'accepted' | 'ignored'

/** What the request pipeline must know of a route before it reads the body's meaning. */
export type RouteConfig = {
  limitClass: LimitClass
  scope: Scope
  idempotencyKey: KeyUse
  /** Answers 404 `sandbox_only` on the live stack. */
  sandboxOnly?: true
  /** Where an operation takes longer bodies than others do. */
  maxBodyBytes?: number
  /** Goes on without a token, and sheds or waits for one itself (interface, Limits rule 4). */
  shedsLoad?: true
}

/** The config of a route that does nothing but read, with a key of that scope. */
export function readsWith(scope: Scope) {
  return { limitClass: 'reads', scope, idempotencyKey: 'ignored' } as const
}

/** Marks the routes that exist only to refuse a method on a path that exists. */
type MethodRefusal = { allow: string }

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<RouteConfig> {
    methodRefusal?: MethodRefusal
  }
}

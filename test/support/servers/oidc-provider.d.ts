// The package has no types: this is what the tests use of it.
declare module 'oidc-provider' {
  import type { Server } from 'node:http'

  export type ProviderContext = {
    path: string
    status: number
    body: unknown
    oidc?: { params?: { code?: unknown } }
  }

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    use(middleware: (context: ProviderContext, next: () => Promise<void>) => Promise<void>): void
    listen(port: number, host: string): Server
  }
}

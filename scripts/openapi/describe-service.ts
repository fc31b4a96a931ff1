import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/config.ts'
import { createInternalServer } from '../../src/process/internal-server.ts'
import { createResources } from '../../src/process/resources.ts'

type Media = { schema?: unknown; example?: unknown }
type Content = Record<string, Media>
export type Parameter = { $ref?: string; in?: string }
export type Operation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}
export type OpenApi = {
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

export type Documents = Readonly<Record<'tenants' | 'console' | 'operators', OpenApi>>

/** The OpenAPI documents as the service serves them. No store is needed: routes describe themselves. */
export async function describeService(): Promise<Documents> {
  const nowhere = '127.0.0.1:1'
  const resources = createResources(
    loadConfig({
      STACK: 'sandbox',
      DATABASE_URL: `postgres://${nowhere}/none`,
      REDIS_URL: `redis://${nowhere}`,
      ENCRYPTION_KEYS: `none:${Buffer.alloc(32).toString('base64')}`,
      LOG_LEVEL: 'silent',
      PUBLIC_URL: 'https://api.example.com',
    }),
  )
  try {
    const app = await buildApp(resources)
    await app.ready()
    const [tenants, console] = [app.swagger(), app.consoleDocument()]
    await app.close()
    const internal = await createInternalServer(resources, true)
    await internal.ready()
    const operators = internal.operatorDocument()
    await internal.close()
    return { tenants, console, operators } as unknown as Documents
  } finally {
    await resources.dispose()
  }
}

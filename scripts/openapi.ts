// npm run openapi: writes openapi.json as the service serves it, and what is generated from it.
// With --check it writes nothing and fails where one of them is not what the service says.
import { readFileSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { buildApp } from '../src/app.ts'
import { loadConfig } from '../src/config/config.ts'
import { createInternalServer } from '../src/process/internal-server.ts'
import { createResources } from '../src/process/resources.ts'

const DOCUMENT = fileURLToPath(new URL('../openapi.json', import.meta.url))
const CONSOLE_DOCUMENT = fileURLToPath(new URL('../console-openapi.json', import.meta.url))
const OPERATOR_DOCUMENT = fileURLToPath(new URL('../operator-openapi.json', import.meta.url))
const TYPES = fileURLToPath(new URL('../src/client/generated/openapi-types.ts', import.meta.url))
const CONSOLE_TYPES = fileURLToPath(
  new URL('../src/console/generated/console-types.ts', import.meta.url),
)
const CONSOLE_ROUTES = fileURLToPath(
  new URL('../src/console/generated/console-routes.ts', import.meta.url),
)
const DESK_TYPES = fileURLToPath(
  new URL('../src/desk/generated/operator-types.ts', import.meta.url),
)
const DESK_ROUTES = fileURLToPath(
  new URL('../src/desk/generated/operator-routes.ts', import.meta.url),
)
const ROUTES = fileURLToPath(new URL('../src/client/generated/routes.ts', import.meta.url))
const EXAMPLES = fileURLToPath(
  new URL('../src/client/generated/event-examples.ts', import.meta.url),
)

type Paths = { paths: Record<string, Record<string, { operationId: string }>> }
type Described = Paths & {
  webhooks: Record<string, { post: { requestBody: { content: { 'application/json': Media } } } }>
}
type Media = { example: { data: unknown } }

const { document, consoleDocument, operatorDocument } = await describeService()
const contents = new Map([
  [DOCUMENT, `${JSON.stringify(document, null, 2)}\n`],
  [CONSOLE_DOCUMENT, `${JSON.stringify(consoleDocument, null, 2)}\n`],
  [OPERATOR_DOCUMENT, `${JSON.stringify(operatorDocument, null, 2)}\n`],
  [TYPES, await generateTypes(JSON.stringify(document))],
  [ROUTES, listRoutes(document)],
  [EXAMPLES, listExamples(document)],
  [CONSOLE_TYPES, await generateTypes(JSON.stringify(consoleDocument))],
  [CONSOLE_ROUTES, listRoutes(consoleDocument)],
  [DESK_TYPES, await generateTypes(JSON.stringify(operatorDocument))],
  [DESK_ROUTES, listRoutes(operatorDocument)],
])
const drifted = [...contents].filter(([path, content]) => readIfThere(path) !== content)
if (process.argv.includes('--check')) {
  for (const [path] of drifted) console.error(`${path} is not what the service says now.`)
  if (drifted.length > 0) console.error('Run npm run openapi and review the changes.')
  process.exitCode = drifted.length > 0 ? 1 : 0
} else {
  for (const [path, content] of drifted) writeFileSync(path, content)
  console.log(drifted.length > 0 ? `Wrote ${drifted.map(([path]) => path)}` : 'Nothing changed')
}

/** No store is needed: routes describe themselves. */
async function describeService(): Promise<{
  document: Described
  consoleDocument: Paths
  operatorDocument: Paths
}> {
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
    const document = app.swagger() as unknown as Described
    const consoleDocument = app.consoleDocument() as unknown as Paths
    await app.close()
    const internal = await createInternalServer(resources, true)
    await internal.ready()
    const operatorDocument = internal.operatorDocument() as unknown as Paths
    await internal.close()
    return { document, consoleDocument, operatorDocument }
  } finally {
    await resources.dispose()
  }
}

async function generateTypes(json: string): Promise<string> {
  // The generator prints with the compiler interface that TypeScript 7 no longer has.
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
  })
  const { default: openapiTypes, astToString } = await import('openapi-typescript')
  const types = await openapiTypes(json, { alphabetize: true, silent: true })
  return `// Written by npm run openapi from openapi.json.\n\n${astToString(types)}`
}

/** Where each operation is: types do not exist at run time. */
function listRoutes({ paths }: Paths): string {
  const routes = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId }]) => `  ${operationId}: ['${method.toUpperCase()}', '${path}'],`,
      ),
    )
    .sort()
  return [
    '// Written by npm run openapi from openapi.json.',
    '',
    '/** The method and path of each operation. */',
    'export const ROUTES = {',
    ...routes,
    '} as const satisfies Readonly<Record<string, readonly [method: string, path: string]>>',
    '',
  ].join('\n')
}

function listExamples({ webhooks }: Described): string {
  const examples = Object.entries(webhooks).map(([type, { post }]) => {
    const { data } = post.requestBody.content['application/json'].example
    return `  '${type}': ${JSON.stringify(data)},`
  })
  return [
    '// Written by npm run openapi from openapi.json.',
    "import type { EventData, EventType } from '../resources/resources.ts'",
    '',
    '/** The data of the example of each event. */',
    'export const EVENT_EXAMPLES: Readonly<{ [Type in EventType]: EventData<Type> }> = {',
    ...examples,
    '}',
    '',
  ].join('\n')
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

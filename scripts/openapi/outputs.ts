import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeService, type OpenApi } from './describe-service.ts'
import { generateTypes } from './generate-types.ts'
import { printGoModels } from './go-models.ts'
import { listModels } from './models.ts'
import { printJson } from './print-json.ts'
import { printPythonModels } from './python-models.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const HEAD = '// Written by npm run openapi.\n'

/** By path. The built ones are not in the repository: whatever needs them makes them first. */
type Outputs = Record<'committed' | 'built', ReadonlyMap<string, string>>

/** All that is made of what the routes say of themselves. */
export async function makeOutputs(): Promise<Outputs> {
  const { tenants, console, operators } = await describeService()
  const models = listModels(tenants)
  return {
    committed: new Map([
      ['openapi.json', printJson(tenants)],
      ['src/client/generated/openapi-types.ts', await printTypes(tenants)],
      ['src/client/generated/routes.ts', listRoutes(tenants)],
      ['src/client/generated/event-examples.ts', listExamples(tenants)],
      ['clients/python/src/lending_service/models.py', printPythonModels(models)],
      ['clients/go/models.go', printGoModels(models)],
    ]),
    built: new Map([
      ['src/console/generated/console-openapi.json', printJson(console)],
      ['src/console/generated/console-types.ts', await printTypes(console)],
      ['src/console/generated/console-routes.ts', listRoutes(console)],
      ['src/desk/generated/operator-openapi.json', printJson(operators)],
      ['src/desk/generated/operator-types.ts', await printTypes(operators)],
      ['src/desk/generated/operator-routes.ts', listRoutes(operators)],
    ]),
  }
}

const printTypes = async (document: OpenApi) => `${HEAD}\n${await generateTypes(document)}`

/** Returns the paths of those that were not there as they are now. */
export function findDrifted(outputs: ReadonlyMap<string, string>): string[] {
  return [...outputs]
    .filter(([path, content]) => readIfThere(path) !== content)
    .map(([path]) => path)
}

/** Each appears whole, because another process may be reading it. */
export function writeOutputs(outputs: ReadonlyMap<string, string>): string[] {
  const drifted = findDrifted(outputs)
  for (const path of drifted) {
    const draft = join(ROOT, `${path}.${process.pid}`)
    mkdirSync(dirname(draft), { recursive: true })
    writeFileSync(draft, outputs.get(path) ?? '')
    renameSync(draft, join(ROOT, path))
  }
  return drifted
}

/** Where each operation is: types do not exist at run time. */
function listRoutes({ paths }: OpenApi): string {
  const routes = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId }]) => `  ${operationId}: ['${method.toUpperCase()}', '${path}'],`,
      ),
    )
    .sort()
  return [
    `${HEAD}\n/** The method and path of each operation. */`,
    'export const ROUTES = {',
    ...routes,
    '} as const satisfies Readonly<Record<string, readonly [method: string, path: string]>>',
    '',
  ].join('\n')
}

const RESOURCES = '../resources/resources.ts'

function listExamples({ webhooks = {} }: OpenApi): string {
  const examples = Object.entries(webhooks).map(([type, { post }]) => {
    const { example } = post?.requestBody?.content['application/json'] ?? {}
    return `  '${type}': ${JSON.stringify((example as { data: unknown }).data)},`
  })
  return [
    `${HEAD}import type { EventData, EventType } from '${RESOURCES}'`,
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
    return readFileSync(join(ROOT, path), 'utf8')
  } catch {
    return undefined
  }
}

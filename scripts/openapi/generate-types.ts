import { registerHooks } from 'node:module'
import type { OpenApi, Operation, Parameter } from './describe-service.ts'

/** All that openapi-typescript makes of a document. */
export async function printTypes(document: object): Promise<string> {
  // The generator prints with the compiler interface that TypeScript 7 no longer has.
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
  })
  const { default: openapiTypes, astToString } = await import('openapi-typescript')
  const json = JSON.stringify(document)
  return astToString(await openapiTypes(json, { alphabetize: true, silent: true }))
}

/** The types of what operations take and of their successes: what our own calls are typed by. */
export async function generateTypes(document: OpenApi): Promise<string> {
  return tighten(await printTypes(keepTyped(document)))
}

function keepTyped({ paths, webhooks = {}, components, ...document }: OpenApi): object {
  const { schemas, parameters: shared = {} } = components
  const resolve = (parameter: Parameter): Parameter =>
    parameter.$ref ? (shared[parameter.$ref.split('/').at(-1) ?? ''] as Parameter) : parameter
  const keepOperation = ({ operationId, parameters = [], requestBody, responses }: Operation) => ({
    operationId,
    ...(requestBody && { requestBody }),
    parameters: parameters.map(resolve).filter((parameter) => parameter.in !== 'header'),
    responses: mapValues(
      Object.fromEntries(Object.entries(responses).filter(([status]) => status.startsWith('2'))),
      ({ content }) => ({ description: '', ...(content && { content }) }),
    ),
  })
  const keepAll = (entries: OpenApi['paths']) =>
    mapValues(entries, (methods) => mapValues(methods, keepOperation))
  return {
    ...document,
    paths: keepAll(paths),
    webhooks: keepAll(webhooks),
    components: { schemas },
  }
}

/** Leaves out what has no type, and puts on one line what fits there. */
function tighten(printed: string): string {
  const text = printed
    .replace(/^export interface paths \{[\s\S]*?^\}\n/m, '')
    .replace(/^export type \$defs .*\n/m, '')
    .replace(/^ *\w+\??: never;\n/gm, '')
    .replace(/^ *parameters: \{\n *\};\n/gm, '')
    .replace(/^ *headers: \{\n *\[name: string\]: unknown;\n *\};\n/gm, '')
    .replace(/^( *)\/\*\*([\s\S]*?)\*\/\n/gm, (_, indent, lines) => joinComment(indent, lines))
  return joinMembers(text)
}

function joinComment(indent: string, lines: string): string {
  const texts = lines
    .replace(/@(example|enum|constant)[\s\S]*/, '')
    .split('\n')
    .map((line) => line.replace(/^ *(\* ?)?(@description )?/, '').trimEnd())
    .filter((line) => line !== '')
  if (texts.length < 2) return texts.map((text) => `${indent}/** ${text} */\n`).join('')
  return [`${indent}/**\n`, ...texts.map((text) => `${indent} * ${text}\n`), `${indent} */\n`].join(
    '',
  )
}

function joinMembers(text: string): string {
  const joined = text.replace(
    /^( *)(\S.*)\{\n((?:\1 {4}\S.*;\n)+)\1\}/gm,
    (block, indent: string, start: string, members: string) => {
      const line = `${indent}${start}{ ${members.trim().replace(/;\n */g, '; ').slice(0, -1)} }`
      return line.length > 100 ? block : line
    },
  )
  return joined === text ? text : joinMembers(joined)
}

function mapValues<Value, Made>(
  values: Record<string, Value>,
  make: (value: Value) => Made,
): Record<string, Made> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, make(value)]))
}

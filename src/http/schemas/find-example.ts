import { z } from 'zod'
import { valueAt } from '../../core/field-errors.ts'

type Described = {
  examples?: unknown[]
  default?: unknown
  enum?: unknown[]
  const?: unknown
  type?: string
  properties?: Record<string, Described>
  items?: Described
  oneOf?: Described[]
  anyOf?: Described[]
}

/**
 * Finds a valid value for a place in a schema: from the whole's example, the member's, its default
 * or its first allowed value.
 */
export function createExampleFinder(schema: z.ZodType) {
  let described: Described | undefined
  return (path: readonly PropertyKey[]): unknown => {
    const { examples = [] } = (z.globalRegistry.get(schema) ?? {}) as Described
    const [whole] = examples
    const shown = valueAt(whole, path)
    if (shown !== undefined) return shown
    described ??= z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Described
    return exampleOf(schemaAt(described, path))
  }
}

function schemaAt(
  schema: Described,
  [key, ...rest]: readonly PropertyKey[],
): Described | undefined {
  if (key === undefined) return schema
  const options = [schema, ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]
  for (const { properties = {}, items } of options) {
    const own = Object.getOwnPropertyDescriptor(properties, key)?.value as Described | undefined
    const member = own ?? items
    if (member) return schemaAt(member, rest)
  }
  return undefined
}

function exampleOf(schema: Described | undefined): unknown {
  if (schema === undefined) return undefined
  if (schema.type === 'boolean') return true
  const { examples, default: usual, const: only, enum: allowed } = schema
  return examples?.[0] ?? usual ?? only ?? allowed?.[0]
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { createFairSlots, type Release } from '../../core/limits/fair-slots.ts'
import { mapInSlices, SLICE } from '../../core/limits/slices.ts'
import { callerOf } from '../authentication/authenticate.ts'

const WAIT_MS = 10_000

/** A tenant's burst of reads is 200 at once, and a page has up to 500 rows. So that other tenants do not
 * wait for all that, one list of a tenant is answered at a time, and a long one is encoded in slices. */
export function answerListsInTurn(app: FastifyInstance): void {
  const slots = createFairSlots({ total: Number.POSITIVE_INFINITY, perName: 1, waitMs: WAIT_MS })
  const held = new WeakMap<FastifyRequest, Release>()

  app.addHook('preHandler', async (request, reply) => {
    if (!isList(request)) return
    const release = await slots.take(callerOf(request).tenantId)
    held.set(request, release)
    reply.raw.once('close', release)
  })
  app.addHook('preSerialization', async (request, reply, payload) => {
    const text = await encodeInSlices(schemaOf(request, reply.statusCode), payload)
    if (text === undefined) return payload
    reply.serializer((encoded) => String(encoded))
    return text
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    held.get(request)?.()
    done(null, payload)
  })
}

const isList = ({ method, query }: FastifyRequest) =>
  method === 'GET' && typeof query === 'object' && query !== null && 'limit' in query

type Described = { content?: { 'application/json'?: { schema?: unknown } } }

/** Of the JSON that the route promises with this status. */
function schemaOf({ routeOptions }: FastifyRequest, status: number): unknown {
  const responses = routeOptions.schema?.response as Record<number, unknown> | undefined
  const response = responses?.[status]
  return (response as Described | undefined)?.content?.['application/json']?.schema ?? response
}

/** The same text as encoded whole; undefined without a long list. */
async function encodeInSlices(schema: unknown, payload: unknown): Promise<string | undefined> {
  if (!(schema instanceof z.ZodObject) || typeof payload !== 'object' || !payload) return undefined
  const [key, list] =
    Object.entries(payload).find(([, value]) => Array.isArray(value) && value.length > SLICE) ?? []
  const array: unknown = key === undefined ? undefined : schema.shape[key]
  if (key === undefined || !(array instanceof z.ZodArray)) return undefined
  const row = array.element as z.ZodType
  const rows = await mapInSlices(list as unknown[], (item) => JSON.stringify(z.encode(row, item)))
  const rest = z.encode(schema, { ...payload, [key]: [] }) as Record<string, unknown>
  const members = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const text = name === key ? `[${rows.join(',')}]` : JSON.stringify(value)
      return `${JSON.stringify(name)}:${text}`
    })
  return `{${members.join(',')}}`
}

import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)]

/** Preferred first. */
const ENCODINGS = ['br', 'gzip', 'identity']

export type StaticFile = {
  type: string
  /** First 16 hex digits of the SHA-256. */
  hash: string
  /** Compressed once, in Node's thread pool. */
  encode(encoding: string): Promise<Buffer>
}

/** `compressed` holds what was compressed before, by encoding. */
export function createStaticFile(
  type: string,
  content: string | Buffer,
  compressed: ReadonlyMap<string, Buffer> = new Map(),
): StaticFile {
  const bytes = Buffer.from(content)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  const encoded = new Map([...compressed].map(([name, made]) => [name, Promise.resolve(made)]))
  const encode = (encoding: string) => {
    const known = encoded.get(encoding)
    if (known) return known
    const made = compress(bytes, encoding)
    encoded.set(encoding, made)
    // A failure is not kept.
    made.catch(() => encoded.delete(encoding))
    return made
  }
  return { type, hash, encode }
}

/** `immutable` is for addresses that contain the hash; other copies are revalidated by ETag. */
export async function sendStaticFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile,
  caching: 'immutable' | 'revalidated' = 'revalidated',
): Promise<FastifyReply> {
  // The route of a page with other forms at its address has put `Accept` into `Vary` already.
  const vary = [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', ')
  // Weak: one tag for all encodings.
  const etag = `W/"${file.hash}"`
  reply.headers({
    'cache-control': caching === 'immutable' ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag,
    vary,
    'x-content-type-options': 'nosniff',
  })
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()

  const accepted = request.headers['accept-encoding']?.toLowerCase() ?? ''
  const encoding = negotiate(accepted, ENCODINGS) ?? 'identity'
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(file.type).send(await file.encode(encoding))
}

/** Quality 9 is a tenth larger than 11 and takes a twentieth of the time. */
async function compress(bytes: Buffer, encoding: string): Promise<Buffer> {
  if (encoding === 'gzip') return await zip(bytes)
  if (encoding !== 'br') return bytes
  return await brotli(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })
}

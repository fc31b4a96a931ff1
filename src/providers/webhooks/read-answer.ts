import type { IncomingMessage } from 'node:http'

/** As received; nothing is decompressed. */
const MAX_BODY_BYTES = 16 * 1024
const MAX_BODY_MS = 1_000
export const EXCERPT_BYTES = 1024

/** The first 1 KiB of the body. The status line has said all that counts, so a body that is long,
 * slow or broken is left: at most 16 KiB and 1 s of it are read, which is what most connections need
 * to be used again. */
export function readExcerpt(answer: IncomingMessage): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>()
  let received = 0
  let excerpt: Buffer = Buffer.alloc(0)
  const timer = setTimeout(() => answer.destroy(), MAX_BODY_MS)
  answer.on('data', (chunk: Buffer) => {
    received += chunk.length
    const room = EXCERPT_BYTES - excerpt.length
    if (room > 0) excerpt = Buffer.concat([excerpt, chunk.subarray(0, room)])
    if (received > MAX_BODY_BYTES) answer.destroy()
  })
  answer.on('error', () => {})
  answer.on('close', () => {
    clearTimeout(timer)
    resolve(excerpt)
  })
  return promise
}

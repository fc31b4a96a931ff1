import type { FastifyInstance } from 'fastify'
import { readJson } from './read-json.ts'

/** Parses the bytes of a body as JSON, whatever their media type. */
export function parseBodies(app: FastifyInstance, maxDepth: number): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', ({ rawBody }, _payload, done) => {
    try {
      done(null, rawBody.length === 0 ? undefined : readJson(rawBody, maxDepth))
    } catch (error) {
      done(error as Error)
    }
  })
}

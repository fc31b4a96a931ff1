import type { FastifyInstance } from 'fastify'

/**
 * Closes each connection with its last answer while the server closes: kept alive, it would hold the
 * process up until it times out.
 */
export function closeAnswered(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', (done) => {
    isClosing = true
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) reply.header('connection', 'close')
    done(null, payload)
  })
}

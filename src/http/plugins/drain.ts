import type { FastifyInstance } from 'fastify'

/** Kept-alive connections would hold up a closing process until they time out. */
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

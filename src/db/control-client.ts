import pg from 'pg'

/**
 * Makes the client class by which Kysely has the server give up a query that was aborted: on a
 * connection of its own, for which nobody waits. What kills it must find somebody who listens, or it
 * would end the process.
 */
export function createControlClient(onError: (error: Error) => void): typeof pg.Client {
  return class ControlClient extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config)
      this.on('error', onError)
    }
  }
}

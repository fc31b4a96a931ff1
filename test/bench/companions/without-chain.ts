// Imported ahead of a server, it takes the chain from the log: no hashes, nothing bound. The rest of an
// event, its columns included, stays as it is.
import { registerHooks } from 'node:module'

const UNCHAINED = new Map([
  ['./event-chain.ts', new URL('./unchained-event-chain.ts', import.meta.url).href],
  ['./append-queries.ts', new URL('./unchained-append-queries.ts', import.meta.url).href],
])

registerHooks({
  resolve(specifier, context, next) {
    const isFromEvents = /\/domain\/events\/(append-event|number-events)\.ts$/
    const unchained = isFromEvents.test(context.parentURL ?? '')
      ? UNCHAINED.get(specifier)
      : undefined
    return unchained === undefined
      ? next(specifier, context)
      : { url: unchained, shortCircuit: true }
  },
})

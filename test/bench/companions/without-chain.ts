// Imported ahead of a server, it takes the chain from the log: no hashes, nothing bound. The rest of an
// event, its columns included, stays as it is.
import { registerHooks } from 'node:module'

const UNCHAINED = new Map([
  ['./event-chain.ts', new URL('./unchained-event-chain.ts', import.meta.url).href],
  ['./append-queries.ts', new URL('./unchained-append-queries.ts', import.meta.url).href],
])

/** The hash of an event that is numbered alone is PostgreSQL's work. */
const LONE_HASH = 'event_hash(last_hash, sequence, body) AS hash'

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
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.endsWith('/domain/events/lone-event-queries.ts')) return loaded
    const source = String(loaded.source)
    if (!source.includes(LONE_HASH)) throw new Error(`${url} does not have ${LONE_HASH}`)
    return { ...loaded, source: source.replace(LONE_HASH, 'last_hash AS hash') }
  },
})

// A receiver for the seeds: it writes down what it applies, in the order in which it does.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import {
  createClient,
  createInbox,
  createPostgresStore,
  deliveredBody,
  nodeReceiver,
} from '../../src/client/index.ts'

const {
  DATABASE_URL: connectionString,
  INBOX: name = '',
  WEBHOOK_ID: webhookId = '',
  SECRET: secrets = '',
  SERVICE_URL: baseUrl = '',
  KEY_ID: keyId = '',
  PRIVATE_KEY: privateKeyPem = '',
} = process.env
const pool = new pg.Pool({ connectionString, max: 3 })
pool.on('error', () => undefined)
const failed = new Set<number>()

const inbox = createInbox({
  name,
  webhookId,
  secrets,
  client: createClient({ baseUrl, keyId, privateKeyPem }),
  store: createPostgresStore(pool),
  gapSeconds: 0.1,
  readSeconds: 0.5,
  async apply(event, tx) {
    const { sequence, id, resource, resource_version: version } = event
    await tx.query(
      `INSERT INTO applied (inbox, sequence, event_id, resource, version, body)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [name, sequence, id, `${resource.type}/${resource.id}`, version, deliveredBody(event)],
    )
    // What it has written must not stay.
    if (sequence % 11 === 0 && !failed.has(sequence)) {
      failed.add(sequence)
      throw new Error('failed once')
    }
  },
})
const server = createServer(nodeReceiver(inbox)).listen(0, '127.0.0.1', () => {
  console.log(`listening ${(server.address() as AddressInfo).port}`)
})
await inbox.run(new AbortController().signal)

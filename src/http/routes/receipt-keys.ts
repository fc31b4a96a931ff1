import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/database.ts'
import { listReceiptKeys } from '../../domain/margin/receipts/receipt-key.ts'

/** The public halves of the keys that have signed receipts, for whoever verifies one. */
export function receiptKeyRoute(app: FastifyInstance, { db }: { db: Db }): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/.well-known/receipt-keys.json',
    schema: { hide: true },
    handler: async (_request, reply) => {
      const keys = await listReceiptKeys(db)
      reply.header('cache-control', 'public, max-age=300')
      return {
        keys: keys.map(({ keyId, publicKey, createdAt, retiredAt }) => ({
          key_id: keyId,
          algorithm: 'Ed25519',
          public_key: publicKey.toString('hex'),
          created_at: createdAt.toISOString(),
          ...(retiredAt && { retired_at: retiredAt.toISOString() }),
        })),
      }
    },
  })
}

import { z } from 'zod'
import { listEncryptionKeys } from '../../../../domain/operations/keys.ts'
import { listPartitions, type PartitionedTable } from '../../../../domain/operations/partitions.ts'
import { listProcesses } from '../../../../domain/operations/processes.ts'
import { bodyOf } from '../../../schemas/body-of.ts'
import { listOf, timestamp } from '../../../schemas/fields.ts'
import type { OperatorApp } from '../../operation.ts'
import type { OperatorContext } from '../../operator-context.ts'

const TABLE_EXAMPLE = {
  table: 'events',
  kept_days: 90,
  bytes: 81_920,
  next_drop: { name: 'events_2026_08', at: '2026-11-30T00:00:00.000Z' },
  partitions: [
    {
      name: 'events_2026_08',
      from: '2026-08-01T00:00:00.000Z',
      until: '2026-09-01T00:00:00.000Z',
      bytes: 81_920,
      rows: 120,
    },
  ],
}

const tableSchema = z
  .strictObject({
    table: z.string(),
    kept_days: z.int().nullable().describe('After the end of a partition; null: for good'),
    bytes: z.int().describe('On disk, with indexes'),
    next_drop: z
      .strictObject({ name: z.string(), at: timestamp.describe('From then on') })
      .nullable(),
    partitions: z.array(
      z.strictObject({
        name: z.string(),
        from: timestamp,
        until: timestamp,
        bytes: z.int(),
        rows: z.int().describe('As last estimated by the database'),
      }),
    ),
  })
  .meta({ id: 'PartitionedTable', examples: [TABLE_EXAMPLE] })

const partitionsSchema = listOf(tableSchema, 'Partitions', TABLE_EXAMPLE)

const KEY_EXAMPLE = {
  key_id: 'k1',
  signing_secrets: 12,
  stored_answers: 1,
  encrypted_by: 2,
  decrypted_by: 1,
  missing_in: [],
}

const keySchema = z
  .strictObject({
    key_id: z.string(),
    signing_secrets: z.int().describe('Encrypted with it'),
    stored_answers: z.int(),
    encrypted_by: z.int().describe('Processes that encrypt with it'),
    decrypted_by: z.int().describe('Processes that only decrypt with it'),
    missing_in: z.array(z.string()).describe('Processes that do not have it'),
  })
  .meta({ id: 'EncryptionKey', examples: [KEY_EXAMPLE] })

const keysSchema = listOf(keySchema, 'EncryptionKeys', KEY_EXAMPLE)

export function storeRoutes(app: OperatorApp, { db, clock, config }: OperatorContext): void {
  app.get('/partitions', {
    id: 'listPartitions',
    summary: 'List the partitions of each table, their sizes, and which is dropped next',
    tag: 'Operations',
    response: { 200: partitionsSchema },
    async handler() {
      const retention = { events: config.eventRetentionDays, requestLog: config.requestLogDays }
      return { items: (await listPartitions(db, retention, clock())).map(toTable) }
    },
  })

  app.get('/encryption-keys', {
    id: 'listEncryptionKeys',
    summary: 'List the encryption keys by id: what each encrypts, and which processes have it',
    tag: 'Operations',
    response: { 200: keysSchema },
    async handler() {
      const keys = await listEncryptionKeys(db, await listProcesses(db, clock()))
      return { items: keys.map(showKey) }
    },
  })
}

const showTable = bodyOf(tableSchema)
const showKey = bodyOf(keySchema)

const toTable = ({ bytes, partitions, ...table }: PartitionedTable) =>
  showTable({
    ...{ ...table, bytes: Number(bytes) },
    partitions: partitions.map((partition) => ({
      ...{ ...partition, bytes: Number(partition.bytes), rows: Number(partition.rows) },
    })),
  })

import { useQuery } from '@tanstack/react-query'
import { Page } from '../../../pages/parts/page.tsx'
import { TablePanel } from '../../../pages/parts/panels.tsx'
import type { Column } from '../../../pages/parts/table.tsx'
import { Status, Time } from '../../../pages/parts/values.tsx'
import { call, type Schemas } from '../../data/operator-api.ts'
import { formatBytes } from './format.ts'
import { OperationsTabs } from './operations-tabs.tsx'

type EncryptionKey = Schemas['EncryptionKey']
type PartitionedTable = Schemas['PartitionedTable']

const TABLES: readonly Column<PartitionedTable>[] = [
  { head: 'Table', cell: ({ table }) => table },
  {
    head: 'Partitions',
    align: 'right',
    short: true,
    cell: ({ partitions }) => (
      <span
        title={partitions.map(({ name, bytes }) => `${name}: ${formatBytes(bytes)}`).join('\n')}
      >
        {partitions.length}
      </span>
    ),
  },
  { head: 'Size', align: 'right', short: true, cell: ({ bytes }) => formatBytes(bytes) },
  {
    head: 'Kept',
    align: 'right',
    short: true,
    cell: ({ kept_days }) => (kept_days === null ? 'for good' : `${kept_days} days`),
  },
  {
    head: 'Dropped next',
    keep: 'low',
    cell: ({ next_drop }) =>
      next_drop ? (
        <>
          {next_drop.name}, from <Time at={next_drop.at} />
        </>
      ) : (
        <span className="quiet">–</span>
      ),
  },
]

const KEYS: readonly Column<EncryptionKey>[] = [
  { head: 'Key', cell: ({ key_id }) => <span className="mono">{key_id}</span> },
  {
    head: 'Signing secrets',
    align: 'right',
    short: true,
    cell: ({ signing_secrets }) => signing_secrets,
  },
  {
    head: 'Stored answers',
    align: 'right',
    short: true,
    keep: 'low',
    cell: ({ stored_answers }) => stored_answers,
  },
  {
    head: 'Processes',
    cell: ({ encrypted_by, decrypted_by }) =>
      `${encrypted_by} encrypt with it, ${decrypted_by} only decrypt`,
    keep: 'low',
  },
  {
    head: 'State',
    short: true,
    cell: ({ signing_secrets, stored_answers, missing_in, encrypted_by }) => {
      const isUsed = signing_secrets + stored_answers > 0
      if (isUsed && missing_in.length > 0) {
        return <Status tone="bad">{`Missing in ${missing_in.length}`}</Status>
      }
      if (encrypted_by > 0) return <Status tone="good">Encrypts</Status>
      return <Status tone={isUsed ? 'calm' : 'plain'}>{isUsed ? 'Needed' : 'Not needed'}</Status>
    },
  },
]

export function StoresPage() {
  const tables = useQuery({
    queryKey: ['operations', 'partitions'],
    queryFn: () => call('listPartitions', {}),
  })
  const keys = useQuery({
    queryKey: ['operations', 'keys'],
    queryFn: () => call('listEncryptionKeys', {}),
  })
  return (
    <Page
      title="Stores"
      about="Partitions of the database and what is dropped next; and the keys that encrypt secrets, by their ids."
    >
      <OperationsTabs />
      <TablePanel
        title="Partitions"
        label="Tables in partitions, one a row"
        columns={TABLES}
        rowKey={({ table }) => table}
        rows={tables.data?.items}
        error={tables.error}
      />
      <TablePanel
        title="Encryption keys"
        label="Encryption keys, one a row"
        columns={KEYS}
        rowKey={({ key_id }) => key_id}
        rows={keys.data?.items}
        error={keys.error}
        empty={[
          'No key is in use.',
          'No process has reported one, and no signing secret is stored.',
        ]}
      />
    </Page>
  )
}

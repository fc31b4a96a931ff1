import { Button, Group, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { saveFile } from '../../../pages/data/save-file.ts'
import { Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { type Column, DataTable } from '../../../pages/parts/table.tsx'
import { Id, Time } from '../../../pages/parts/values.tsx'
import { type Answer, call } from '../../data/operator-api.ts'

type Pack = Answer<'getMonthEnd'>
type NamedText = Pack['files'][number]

const save = ({ name, text }: NamedText) =>
  saveFile(name, text, name.endsWith('.json') ? 'application/json' : 'text/csv')

type FilesProps = { tenantId: string | undefined; month: string }

/** The ledger of a month, and its month-end pack: made once, then saved file by file. */
export function FilesPanel({ tenantId, month }: FilesProps) {
  const query = { month, ...(tenantId && { tenant_id: tenantId }) }
  const ledger = useMutation({
    mutationFn: (format: 'csv' | 'hledger') => call('exportBooks', { query: { ...query, format } }),
    onSuccess: ({ files }) => files.forEach(save),
  })
  const pack = useMutation({ mutationFn: () => call('getMonthEnd', { query }) })
  return (
    <Panel title={`Files of ${month}`}>
      <Stack gap="sm">
        <Group>
          <Button
            variant="default"
            loading={ledger.isPending && ledger.variables === 'csv'}
            onClick={() => ledger.mutate('csv')}
          >
            Ledger (CSV)
          </Button>
          <Button
            variant="default"
            loading={ledger.isPending && ledger.variables === 'hledger'}
            onClick={() => ledger.mutate('hledger')}
          >
            Ledger (hledger)
          </Button>
          <Button variant="default" loading={pack.isPending} onClick={() => pack.mutate()}>
            Make the month-end pack
          </Button>
        </Group>
        <ProblemAlert error={ledger.error ?? pack.error} />
        {pack.data && <PackFiles pack={pack.data} />}
      </Stack>
    </Panel>
  )
}

type PackFile = { file: NamedText; rows: number | undefined; sha256: string | undefined }

const COLUMNS: readonly Column<PackFile>[] = [
  { head: 'File', cell: ({ file }) => <span className="mono">{file.name}</span> },
  { head: 'Rows', short: true, align: 'right', cell: ({ rows }) => rows ?? '–' },
  {
    head: 'SHA-256',
    keep: 'lowest',
    cell: ({ sha256 }) => (sha256 === undefined ? '–' : <Id value={sha256} />),
  },
  {
    head: 'Save',
    short: true,
    align: 'right',
    cell: ({ file }) => (
      <Button
        size="xs"
        variant="default"
        aria-label={`Save ${file.name}`}
        onClick={() => save(file)}
      >
        Save
      </Button>
    ),
  },
]

function PackFiles({ pack: { manifest, files } }: { pack: Pack }) {
  const listed = new Map(manifest.files.map((one) => [one.name, one]))
  const rows = files.map((file) => {
    const found = listed.get(file.name)
    return { file, rows: found?.rows, sha256: found?.sha256 }
  })
  return (
    <>
      <p className="quiet">
        Made at <Time at={manifest.made_at} /> of one instant, for{' '}
        {manifest.tenants === 1 ? 'one tenant' : `${manifest.tenants} tenants`}; the month was{' '}
        {manifest.closed ? 'closed' : 'not closed yet'}. Save them all: the manifest has their
        hashes, and its signature is of this run.
      </p>
      <DataTable
        label="Files of the pack, one a row"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ file }) => file.name}
      />
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import type { Borrower } from '../../../client/index.ts'
import { live } from '../../data/live-keys.ts'
import { service } from '../../data/service.ts'
import { useSession } from '../../data/session.ts'
import { type Column, DataTable } from '../../parts/lists/data-table.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Notice, ProblemAlert } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { DecideCompliance } from './decide-compliance.tsx'
import { type DocumentState, describeMissing, matchDocuments } from './missing.ts'

const COLUMNS: readonly Column<DocumentState>[] = [
  {
    head: 'Document',
    cell: ({ document }) => (
      <a href={document.download_url} target="_blank" rel="noreferrer">
        {document.title}
      </a>
    ),
  },
  { head: 'Version', short: true, cell: ({ document }) => document.contract_version },
  {
    head: 'State',
    short: true,
    cell: ({ signature, earlier }) =>
      signature ? (
        <Status tone="good">Signed</Status>
      ) : (
        <Status tone={earlier ? 'warn' : 'plain'}>
          {earlier ? `Signed in ${earlier.contract_version}` : 'Not signed'}
        </Status>
      ),
  },
  { head: 'By', keep: 'low', cell: ({ signature }) => signature?.full_name ?? '–' },
  {
    head: 'Signed (UTC)',
    short: true,
    keep: 'low',
    cell: ({ signature }) => <Time at={signature?.signed_at} brief />,
  },
]

/** What a borrower lacks, or why it is eligible. */
export function Eligibility({ borrower }: { borrower: Borrower }) {
  const isSandbox = useSession().stack === 'sandbox'
  const { data, error, isPending } = useQuery({
    queryKey: live('borrower', borrower.id, 'documents'),
    queryFn: async ({ signal }) => {
      const [documents, signatures] = await Promise.all([
        service.listDocuments({ signal }),
        service.listSignatures(borrower.id, { signal }),
      ])
      return matchDocuments(documents, signatures)
    },
  })
  return (
    <Panel
      title="Eligibility"
      flush
      actions={isSandbox && !borrower.eligible && <DecideCompliance borrowerId={borrower.id} />}
    >
      <ProblemAlert error={error} />
      {isPending && <Loading />}
      {data && (
        <>
          <div style={{ padding: 16 }}>
            <Summary borrower={borrower} documents={data} />
          </div>
          {data.length > 0 && (
            <DataTable
              label="Documents to sign"
              columns={COLUMNS}
              rows={data}
              rowKey={({ document }) => `${document.contract_type} ${document.contract_version}`}
            />
          )}
        </>
      )}
    </Panel>
  )
}

function Summary({
  borrower,
  documents,
}: {
  borrower: Borrower
  documents: readonly DocumentState[]
}) {
  if (borrower.eligible) {
    return (
      <Notice tone="good" title="Eligible">
        Every document is signed and every check has passed. A facility can be applied for.
      </Notice>
    )
  }
  return (
    <Notice tone="warn" title="Not eligible yet">
      <ul style={{ margin: 0, paddingLeft: 18 }}>
        {describeMissing(borrower, documents).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Notice>
  )
}

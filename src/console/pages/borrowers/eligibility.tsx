import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import type { Borrower } from '../../../client/index.ts'
import { live } from '../../../pages/data/query-client.ts'
import { Loading, Notice, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { type Column, DataTable, timeColumn } from '../../../pages/parts/table.tsx'
import { Status, type Tone } from '../../../pages/parts/values.tsx'
import { consoleApi, service, useSession } from '../../data/console-api.ts'
import { DecideCompliance } from './decide-compliance.tsx'
import { type Check, type DocumentState, describeMissing, matchDocuments } from './missing.ts'

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
  timeColumn('Signed', ({ signature }) => signature?.signed_at, 'low'),
]

const CHECKS: Readonly<Record<Check['kind'], string>> = {
  kyc: 'Identity',
  kyb: 'Business',
  aml: 'Names',
}

const STATES: Readonly<Record<Check['status'], { tone: Tone; label: string }>> = {
  pending: { tone: 'calm', label: 'Under way' },
  review: { tone: 'warn', label: 'Under review' },
  passed: { tone: 'good', label: 'Passed' },
  failed: { tone: 'bad', label: 'Failed' },
}

/** What a borrower lacks, or why it is eligible. */
export function Eligibility({ borrower }: { borrower: Borrower }) {
  const isSandbox = useSession().stack === 'sandbox'
  const { data, error, isPending } = useQuery({
    queryKey: live('borrower', borrower.id, 'documents'),
    queryFn: async ({ signal }) => {
      const [documents, signatures, checks] = await Promise.all([
        service.listDocuments({ signal }),
        service.listSignatures(borrower.id, { signal }),
        consoleApi.listChecks(borrower.id),
      ])
      return { documents: matchDocuments(documents, signatures), checks: checks.items }
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
            <Summary borrower={borrower} {...data} />
            {data.checks.length > 0 && (
              <p style={{ display: 'flex', flexWrap: 'wrap', gap: '8px 12px', margin: '12px 0 0' }}>
                {data.checks.map(({ kind, status }) => (
                  <Fragment key={kind}>
                    {CHECKS[kind]}{' '}
                    <Status tone={STATES[status].tone}>{STATES[status].label}</Status>
                  </Fragment>
                ))}
              </p>
            )}
          </div>
          {data.documents.length > 0 && (
            <DataTable
              label="Documents to sign"
              columns={COLUMNS}
              rows={data.documents}
              rowKey={({ document }) => `${document.contract_type} ${document.contract_version}`}
            />
          )}
        </>
      )}
    </Panel>
  )
}

type SummaryProps = {
  borrower: Borrower
  documents: readonly DocumentState[]
  checks: readonly Check[]
}

function Summary({ borrower, documents, checks }: SummaryProps) {
  if (borrower.eligible) {
    return (
      <Notice tone="good" title="Eligible">
        Every document is signed and every check has passed.
      </Notice>
    )
  }
  return (
    <Notice tone="warn" title="Not eligible yet">
      <ul style={{ margin: 0, paddingLeft: 18 }}>
        {describeMissing(borrower, documents, checks).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Notice>
  )
}

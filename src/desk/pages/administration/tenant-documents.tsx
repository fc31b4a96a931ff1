import { useQuery } from '@tanstack/react-query'
import { live } from '../../../pages/data/query-client.ts'
import { TablePanel } from '../../../pages/parts/panels.tsx'
import { type Column, timeColumn } from '../../../pages/parts/table.tsx'
import { Status } from '../../../pages/parts/values.tsx'
import { call, type Schemas } from '../../data/operator-api.ts'
import { ActButton } from './act-button.tsx'
import { PublishDocument } from './publish-document.tsx'

type Document = Schemas['TenantDocument']

export function TenantDocuments({ tenantId }: { tenantId: string }) {
  const path = { tenant_id: tenantId }
  const { data, error } = useQuery({
    queryKey: live('tenants', tenantId, 'documents'),
    queryFn: ({ signal }) => call('listTenantDocuments', { path, signal }),
  })
  const columns: readonly Column<Document>[] = [
    {
      head: 'Contract',
      cell: ({ title, download_url: url }) => (
        <a href={url} target="_blank" rel="noreferrer">
          {title}
        </a>
      ),
    },
    {
      head: 'Type',
      keep: 'lowest',
      cell: (one) => <span className="mono">{one.contract_type}</span>,
    },
    { head: 'Version', short: true, cell: (one) => one.contract_version },
    { head: 'State', short: true, cell: (one) => <DocumentStatus document={one} /> },
    timeColumn('Published', ({ published_at: at }) => at, 'lowest'),
    {
      head: 'Change',
      short: true,
      align: 'right',
      cell: ({ contract_type, contract_version, title, retired_at }) =>
        retired_at === null && (
          <ActButton
            isCompact
            act="documents.retire"
            label="Retire"
            title={`Retire ${title}, ${contract_version}?`}
            about="Its signatures no longer count for borrowers who are not eligible yet."
            run={(reason) =>
              call('retireTenantDocument', {
                path,
                body: { contract_type, contract_version, reason },
              })
            }
          />
        ),
    },
  ]
  return (
    <TablePanel
      title="Contracts"
      actions={<PublishDocument tenantId={tenantId} />}
      label="Contracts in all versions, one a row"
      columns={columns}
      rowKey={(one) => `${one.contract_type}/${one.contract_version}`}
      rows={data?.items}
      error={error}
      empty={[
        'No contracts',
        'Without a contract no borrower becomes eligible: publish the first one.',
      ]}
    />
  )
}

function DocumentStatus({ document }: { document: Document }) {
  if (document.retired_at !== null) return <Status tone="plain">Retired</Status>
  if (document.superseded_at !== null) return <Status tone="calm">Superseded</Status>
  return <Status tone="good">Current</Status>
}

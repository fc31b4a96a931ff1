import { TablePanel } from '../../../pages/parts/panels.tsx'
import { type Column, timeColumn } from '../../../pages/parts/table.tsx'
import type { BorrowerFile, Revealed } from './borrower-page.tsx'
import { Masked } from './masked.tsx'

type Signature = BorrowerFile['signatures'][number]

type SignaturesPanelProps = { file: BorrowerFile; revealed: Revealed | undefined }

export function SignaturesPanel({ file, revealed }: SignaturesPanelProps) {
  const signerOf = (id: string) =>
    revealed?.signatures.find(({ signature_id }) => signature_id === id)
  const columns: readonly Column<Signature>[] = [
    {
      head: 'Signer',
      cell: ({ signature_id, signer }) => (
        <>
          <span className="quiet">{signer}</span>{' '}
          <Masked>{signerOf(signature_id)?.full_name}</Masked>
        </>
      ),
    },
    {
      head: 'E-mail',
      keep: 'low',
      breaks: true,
      cell: ({ signature_id }) => <Masked>{signerOf(signature_id)?.email}</Masked>,
    },
    {
      head: 'Document',
      cell: ({ document, contract_type, contract_version }) => (
        <>
          {document ? (
            <a href={document.url} target="_blank" rel="noreferrer">
              {document.title}
            </a>
          ) : (
            contract_type
          )}{' '}
          <span className="quiet">{contract_version}</span>
        </>
      ),
    },
    timeColumn('Signed', ({ signed_at }) => signed_at, 'low'),
  ]
  return (
    <TablePanel
      title="Signatures"
      label="Signatures, one a row"
      columns={columns}
      rowKey={({ signature_id }) => signature_id}
      rows={file.signatures}
      empty={['Nothing is signed yet.', 'The tenant submits signatures.']}
    />
  )
}

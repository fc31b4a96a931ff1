import { useState } from 'react'
import { TextField } from '../../../pages/parts/fields.tsx'
import { call } from '../../data/operator-api.ts'
import { ActButton } from './act-button.tsx'

const FIELDS = [
  { name: 'contract_type', label: 'Contract type', placeholder: 'master_loan_agreement' },
  { name: 'contract_version', label: 'Version', placeholder: '2026-12' },
  { name: 'title', label: 'Title', placeholder: 'Master Loan Agreement' },
  { name: 'download_url', label: 'Address of the file', placeholder: 'https://' },
] as const

const NONE = { contract_type: '', contract_version: '', title: '', download_url: '' }

export function PublishDocument({ tenantId }: { tenantId: string }) {
  const [document, setDocument] = useState(NONE)
  return (
    <ActButton
      isCompact
      act="documents.publish"
      label="Publish a version"
      title="Publish a version of a contract"
      about="Borrowers must accept it from now on; the version before may still be signed for a while."
      run={(reason) =>
        call('publishTenantDocument', {
          path: { tenant_id: tenantId },
          body: { ...document, content_type: 'application/pdf', reason },
        })
      }
    >
      {FIELDS.map(({ name, label, placeholder }) => (
        <TextField
          key={name}
          label={label}
          placeholder={placeholder}
          value={document[name]}
          onChange={(value) => setDocument({ ...document, [name]: value })}
          required
        />
      ))}
    </ActButton>
  )
}

import { Checkbox, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type Answer, type Body, call } from '../../data/operator-api.ts'
import { ActButton } from './act-button.tsx'

type Scope = Body<'registerTenantKey'>['scopes'][number]

/** Each with what requests that are signed with the key may do. */
const SCOPES: readonly { value: Scope; label: string }[] = [
  { value: 'borrower:read', label: 'borrower:read, reads borrowers and documents' },
  { value: 'borrower:write', label: 'borrower:write, creates and signs for borrowers' },
  { value: 'facility:read', label: 'facility:read, reads loans, margin and events' },
  { value: 'facility:write', label: 'facility:write, applies for loans, draws and closes' },
  { value: 'repayment:write', label: 'repayment:write, reports repayments' },
  { value: 'portfolio:write', label: 'portfolio:write, pushes collateral' },
  { value: 'webhook:read', label: 'webhook:read, reads webhooks and deliveries' },
  { value: 'webhook:write', label: 'webhook:write, registers webhooks' },
]

/** The public half of a key pair that the tenant keeps. */
export function RegisterKey({ tenantId }: { tenantId: string }) {
  const [pem, setPem] = useState('')
  const [label, setLabel] = useState('')
  const [scopes, setScopes] = useState<string[]>(SCOPES.map(({ value }) => value))
  return (
    <ActButton
      isCompact
      act="keys.register"
      label="Register a key"
      title="Register a key of the tenant"
      about="It signs the tenant's requests from now on. Another operator confirms it if the tenant has an active key. Compare the key with the tenant by another way than it came."
      run={(reason): Promise<Answer<'registerTenantKey'>> =>
        call('registerTenantKey', {
          path: { tenant_id: tenantId },
          body: { public_key_pem: pem, label, scopes: scopes as Scope[], reason },
        })
      }
    >
      <Textarea
        data-autofocus
        label="Public key"
        placeholder="-----BEGIN PUBLIC KEY-----"
        value={pem}
        autosize
        minRows={3}
        maxLength={1_000}
        spellCheck={false}
        onChange={(event) => setPem(event.currentTarget.value)}
        required
      />
      <TextInput
        label="Label"
        value={label}
        maxLength={100}
        onChange={(event) => setLabel(event.currentTarget.value)}
        required
      />
      <Checkbox.Group label="Scopes" value={scopes} onChange={setScopes}>
        <Stack gap={6} mt={6}>
          {SCOPES.map(({ value, label: text }) => (
            <Checkbox key={value} value={value} label={text} size="sm" />
          ))}
        </Stack>
      </Checkbox.Group>
    </ActButton>
  )
}

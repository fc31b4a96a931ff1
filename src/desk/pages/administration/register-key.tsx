import { Checkbox, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { SCOPE_SENTENCES, SCOPES, type Scope } from '../../../core/scopes.ts'
import { TextField } from '../../../pages/parts/fields.tsx'
import { type Answer, call } from '../../data/operator-api.ts'
import { ActButton } from './act-button.tsx'

/** The public half of a key pair that the tenant keeps. */
export function RegisterKey({ tenantId }: { tenantId: string }) {
  const [pem, setPem] = useState('')
  const [label, setLabel] = useState('')
  const [scopes, setScopes] = useState<string[]>(SCOPES)
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
      <TextField label="Label" value={label} maxLength={100} onChange={setLabel} required />
      <Checkbox.Group label="Scopes" value={scopes} onChange={setScopes}>
        <Stack gap={6} mt={6}>
          {SCOPES.map((scope) => (
            <Checkbox
              key={scope}
              value={scope}
              label={scope}
              description={SCOPE_SENTENCES[scope]}
              size="sm"
            />
          ))}
        </Stack>
      </Checkbox.Group>
    </ActButton>
  )
}

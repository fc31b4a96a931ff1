import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { live } from '../../../pages/data/query-client.ts'
import { Loading, ProblemAlert } from '../../../pages/parts/page.tsx'
import { call, type Schemas } from '../../data/operator-api.ts'
import { ActButton } from './act-button.tsx'

type RemoveProps = { tenantId: string; person: Schemas['TenantPerson'] }

/** Lists the keys that the person made, which go on working, and offers to revoke them first. */
export function RemoveTenantPerson({ tenantId, person: { id, name } }: RemoveProps) {
  const keys = useQuery({
    queryKey: live('tenants', tenantId, 'keys'),
    queryFn: ({ signal }) => call('listTenantKeys', { path: { tenant_id: tenantId }, signal }),
  })
  const [isRevoking, setRevoking] = useState(true)
  const theirs = (keys.data?.items ?? []).filter(
    (key) => key.made_by === id && key.state === 'active',
  )
  const remove = async (reason: string) => {
    if (!keys.data) throw new Error('Their keys are not read yet.')
    const path = { tenant_id: tenantId }
    for (const key of isRevoking ? theirs : []) {
      await call('revokeTenantKey', { path: { ...path, key_id: key.id }, body: { reason } })
    }
    return call('removeTenantPerson', { path: { ...path, person_id: id }, body: { reason } })
  }
  return (
    <ActButton
      isCompact
      act="console.remove"
      label="Remove"
      title={`Remove ${name}?`}
      about="Their sessions end at once and their passkeys are forgotten."
      run={remove}
    >
      {keys.isPending && <Loading lines={1} />}
      <ProblemAlert error={keys.error} />
      {theirs.length > 0 && (
        <Checkbox
          label={`Revoke the keys that they made: ${theirs.map((key) => key.label || key.id).join(', ')}`}
          checked={isRevoking}
          onChange={(event) => setRevoking(event.currentTarget.checked)}
        />
      )}
    </ActButton>
  )
}

import { useQuery } from '@tanstack/react-query'
import { live } from '../../../pages/data/query-client.ts'
import { TablePanel } from '../../../pages/parts/panels.tsx'
import type { Column } from '../../../pages/parts/table.tsx'
import { Ago, Status } from '../../../pages/parts/values.tsx'
import { call, type Schemas } from '../../data/operator-api.ts'
import { ActButton } from './act-button.tsx'
import { RegisterKey } from './register-key.tsx'

type Key = Schemas['TenantKey']

const TONES = { active: 'good', expired: 'plain', revoked: 'plain' } as const
const WORDS = { active: 'Active', expired: 'Expired', revoked: 'Revoked' } as const

export function TenantKeys({ tenantId }: { tenantId: string }) {
  const { data, error } = useQuery({
    queryKey: live('tenants', tenantId, 'keys'),
    queryFn: ({ signal }) => call('listTenantKeys', { path: { tenant_id: tenantId }, signal }),
  })
  const columns: readonly Column<Key>[] = [
    { head: 'Label', cell: ({ id, label }) => label || id },
    { head: 'Key', keep: 'lowest', cell: ({ id }) => <span className="mono">{id}</span> },
    {
      head: 'State',
      short: true,
      cell: ({ state }) => <Status tone={TONES[state]}>{WORDS[state]}</Status>,
    },
    { head: 'Last used', short: true, keep: 'low', cell: (key) => <Ago at={key.last_used_at} /> },
    {
      head: 'Change',
      short: true,
      align: 'right',
      cell: ({ id, label, state }) =>
        state === 'active' && (
          <ActButton
            isCompact
            act="keys.revoke"
            label="Revoke"
            title={`Revoke ${label || id}?`}
            about="For good, on every process within five seconds."
            run={(reason) =>
              call('revokeTenantKey', {
                path: { tenant_id: tenantId, key_id: id },
                body: { reason },
              })
            }
          />
        ),
    },
  ]
  return (
    <TablePanel
      title="API keys"
      actions={<RegisterKey tenantId={tenantId} />}
      label="API keys, one a row"
      columns={columns}
      rowKey={({ id }) => id}
      rows={data?.items}
      error={error}
      empty={[
        'No keys',
        'The tenant makes a key pair in the console, or sends you the public half: register it here.',
      ]}
    />
  )
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { live } from '../../../pages/data/query-client.ts'
import { Code } from '../../../pages/parts/code.tsx'
import { SelectField, TextField } from '../../../pages/parts/fields.tsx'
import { Notice } from '../../../pages/parts/page.tsx'
import { TablePanel } from '../../../pages/parts/panels.tsx'
import type { Column } from '../../../pages/parts/table.tsx'
import { Ago } from '../../../pages/parts/values.tsx'
import { type Answer, call, type Schemas } from '../../data/operator-api.ts'
import { ActButton } from './act-button.tsx'
import { RemoveTenantPerson } from './remove-tenant-person.tsx'

type Person = Schemas['TenantPerson']
type Invited = Answer<'inviteTenantPerson'>

const ROLES = [
  { value: 'viewer', label: 'Viewer' },
  { value: 'developer', label: 'Developer' },
  { value: 'admin', label: 'Admin' },
]

export function TenantPeople({ tenantId }: { tenantId: string }) {
  const { data, error } = useQuery({
    queryKey: live('tenants', tenantId, 'people'),
    queryFn: ({ signal }) => call('listTenantPeople', { path: { tenant_id: tenantId }, signal }),
  })
  const columns: readonly Column<Person>[] = [
    { head: 'Name', cell: ({ name }) => name },
    { head: 'E-mail', keep: 'low', cell: ({ email }) => email },
    { head: 'Role', short: true, cell: ({ role }) => role },
    { head: 'Last seen', short: true, keep: 'low', cell: (one) => <Ago at={one.last_seen_at} /> },
    {
      head: 'Change',
      short: true,
      align: 'right',
      cell: (person) => <RemoveTenantPerson tenantId={tenantId} person={person} />,
    },
  ]
  return (
    <TablePanel
      title="Console people"
      actions={<Invite tenantId={tenantId} />}
      label="Console people, one a row"
      columns={columns}
      rowKey={({ id }) => id}
      rows={data?.items}
      error={error}
      empty={['No one uses the console', "Invite the tenant's first admin."]}
    />
  )
}

function Invite({ tenantId }: { tenantId: string }) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Person['role']>('admin')
  return (
    <ActButton
      isCompact
      act="console.invite"
      label="Invite a person"
      title="Invite a person to the tenant's console"
      about="Another operator confirms it and is shown the link. Someone who can sign in is invited again by the tenant's own admin."
      run={(reason) =>
        call('inviteTenantPerson', {
          path: { tenant_id: tenantId },
          body: { name, email, role, reason },
        })
      }
      result={(answer) => <Link invited={answer as Invited} />}
    >
      <TextField data-autofocus label="Name" value={name} onChange={setName} required />
      <TextField type="email" label="E-mail" value={email} onChange={setEmail} required />
      <SelectField label="Role" value={role} data={ROLES} onChange={setRole} />
    </ActButton>
  )
}

function Link({ invited }: { invited: Invited }) {
  const { person, invitation_url: url } = invited
  if (!person || url === null) {
    return <Notice tone="calm" title="Proposed: another operator confirms it." />
  }
  return (
    <>
      <Notice tone="warn" title="Send this link yourself: it is shown once.">
        It is for {person.name} alone, works once, and for 24 hours.
      </Notice>
      <Code code={url} label="Invitation link" wrap />
    </>
  )
}

import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { usePages } from '../../../pages/data/lists.ts'
import { live } from '../../../pages/data/query-client.ts'
import { TextField } from '../../../pages/parts/fields.tsx'
import { ListPage } from '../../../pages/parts/list-page.tsx'
import { type Column, timeColumn } from '../../../pages/parts/table.tsx'
import { Status } from '../../../pages/parts/values.tsx'
import { call, list, type Schemas } from '../../data/operator-api.ts'
import { ActButton } from './act-button.tsx'
import { AdministrationTabs } from './administration-tabs.tsx'

type Tenant = Schemas['Tenant']

const COLUMNS: readonly Column<Tenant>[] = [
  {
    head: 'Name',
    cell: ({ id, name }) => (
      <Link to="/administration/tenants/$id" params={{ id }}>
        {name}
      </Link>
    ),
  },
  { head: 'Id', keep: 'lowest', cell: ({ id }) => <span className="mono">{id}</span> },
  { head: 'State', short: true, cell: (tenant) => <TenantStatus tenant={tenant} /> },
  timeColumn('Since', ({ created_at: at }) => at, 'low'),
]

export function TenantStatus({ tenant }: { tenant: Tenant }) {
  if (tenant.closed_at !== null) return <Status tone="bad">Closed</Status>
  return tenant.suspended ? (
    <Status tone="bad">Suspended</Status>
  ) : (
    <Status tone="good">Active</Status>
  )
}

export function TenantsPage() {
  const pages = usePages<Tenant>({
    key: live('tenants'),
    read: (from, signal) => list('listTenants', { from, limit: 100 }, signal),
  })
  return (
    <ListPage
      title="Tenants"
      about="The API clients that integrate the service."
      actions={<CreateTenant />}
      tabs={<AdministrationTabs />}
      order="Newest first"
      label="Tenants, one a row"
      pages={pages}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      empty={['No tenants yet', 'Create one: it then registers its key.']}
    />
  )
}

function CreateTenant() {
  const [name, setName] = useState('')
  return (
    <ActButton
      act="tenants.create"
      label="Create a tenant"
      title="Create a tenant"
      about="It has no keys and no contracts. Publish its contracts, and register the public key that it sends you."
      run={(reason) => call('createTenant', { body: { name, reason } })}
    >
      <TextField
        data-autofocus
        label="Name"
        value={name}
        maxLength={200}
        onChange={setName}
        required
      />
    </ActButton>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { live } from '../../../pages/data/query-client.ts'
import { Facts, Loading, Notice, Page, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { Id, Time } from '../../../pages/parts/values.tsx'
import { call, type Schemas } from '../../data/operator-api.ts'
import { ActButton } from './act-button.tsx'
import { TenantDocuments } from './tenant-documents.tsx'
import { TenantKeys } from './tenant-keys.tsx'
import { TenantPeople } from './tenant-people.tsx'
import { TenantStatus } from './tenants.tsx'

export function TenantPage() {
  const { id } = useParams({ from: '/administration/tenants/$id' })
  const { data: tenant, error } = useQuery({
    queryKey: live('tenants', id),
    queryFn: ({ signal }) => call('getTenant', { path: { tenant_id: id }, signal }),
  })
  const crumbs = <Link to="/administration">Tenants</Link>
  if (!tenant) {
    return (
      <Page title="Tenant" crumbs={crumbs} beside={<Id value={id} />}>
        <Panel title="Tenant">{error ? <ProblemAlert error={error} /> : <Loading />}</Panel>
      </Page>
    )
  }
  return (
    <Page
      title={tenant.name}
      crumbs={crumbs}
      beside={<TenantStatus tenant={tenant} />}
      actions={tenant.closed_at === null && <Suspension tenant={tenant} />}
    >
      {tenant.closed_at !== null && (
        <Notice tone="warn" title="This tenant is closed.">
          Since <Time at={tenant.closed_at} />. Its keys, people and webhooks have ended.
        </Notice>
      )}
      {tenant.suspended && tenant.closed_at === null && (
        <Notice tone="warn" title="This tenant is suspended.">
          {tenant.suspended.reason} Since <Time at={tenant.suspended.at} />. It reads and changes
          nothing; the margin ladder, refunds and webhooks go on.
        </Notice>
      )}
      <Panel title="Tenant">
        <Facts
          items={[
            ['Id', <Id key="id" value={tenant.id} />],
            ['Created', <Time key="created" at={tenant.created_at} />],
          ]}
        />
      </Panel>
      <TenantKeys tenantId={tenant.id} />
      <TenantPeople tenantId={tenant.id} />
      <TenantDocuments tenantId={tenant.id} />
    </Page>
  )
}

/** The keys close the dialog of the act that was done, in place of turning it into the other's. */
function Suspension({ tenant }: { tenant: Schemas['Tenant'] }) {
  const path = { tenant_id: tenant.id }
  return tenant.suspended ? (
    <ActButton
      key="resume"
      act="tenants.resume"
      label="Resume"
      title={`Resume ${tenant.name}?`}
      about="It may write again, on every process within five seconds."
      run={(reason) => call('resumeTenant', { path, body: { reason } })}
    />
  ) : (
    <ActButton
      key="suspend"
      act="tenants.suspend"
      label="Suspend"
      title={`Suspend ${tenant.name}?`}
      about="Whatever it would change is refused, repayments and portfolios too: its borrowers cannot cure a warning by them. Reads, webhooks, refunds and the margin ladder go on."
      run={(reason) => call('suspendTenant', { path, body: { reason } })}
    />
  )
}

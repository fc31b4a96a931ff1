import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FilterSelect } from '../../pages/parts/filters.tsx'
import type { Column } from '../../pages/parts/table.tsx'
import { Name, shorten } from '../../pages/parts/values.tsx'
import { list, type Schemas } from '../data/operator-api.ts'

type Tenant = Schemas['Tenant']

/** Beyond these a tenant is shown by its id. */
const MOST_TENANTS = 5_000

/** Returns the tenants, ordered by name. They are read again when an act has changed something, or else after
 * a minute. */
export function useTenants(): readonly Tenant[] {
  const { data } = useQuery({
    queryKey: ['tenant-names'],
    queryFn: ({ signal }) => readTenants(signal),
    staleTime: 60_000,
  })
  return data ?? []
}

async function readTenants(signal: AbortSignal): Promise<Tenant[]> {
  const tenants: Tenant[] = []
  let from: string | undefined
  do {
    const page = await list('listTenants', { from, limit: 100 }, signal)
    tenants.push(...page.items)
    from = page.next_cursor
  } while (from !== undefined && tenants.length < MOST_TENANTS)
  return tenants.sort((a, b) => a.name.localeCompare(b.name))
}

/** A tenant's name, which leads to its page. */
export function TenantLink({ id }: { id: string }) {
  return (
    <Link to="/administration/tenants/$id" params={{ id }}>
      <Name value={id} isShort />
    </Link>
  )
}

type BorrowerProps = { tenantId: string; borrowerId: string }

/** To a borrower's file. Who it is, only the file shows, and with a reason. */
export function BorrowerLink({ tenantId, borrowerId }: BorrowerProps) {
  return (
    <Link to="/reviews/$tenantId/$borrowerId" params={{ tenantId, borrowerId }} className="mono">
      <Name value={borrowerId} tenantId={tenantId} isShort />
    </Link>
  )
}

type FacilityProps = { tenantId: string; facilityId: string }

export function FacilityLink({ tenantId, facilityId }: FacilityProps) {
  return (
    <Link to="/margin/$tenantId/$facilityId" params={{ tenantId, facilityId }} className="mono">
      <Name value={facilityId} tenantId={tenantId} isShort />
    </Link>
  )
}

type Keep = Column<never>['keep']
type TenantRow = { tenant_id: string }

export const tenantColumn = (keep?: Keep): Column<TenantRow> => ({
  ...{ head: 'Tenant', ...(keep && { keep }) },
  cell: ({ tenant_id: id }) => <TenantLink id={id} />,
})

export const borrowerColumn = (keep?: Keep): Column<TenantRow & { borrower_id: string }> => ({
  ...{ head: 'Borrower', ...(keep && { keep }) },
  cell: ({ tenant_id: tenantId, borrower_id: borrowerId }) => (
    <BorrowerLink tenantId={tenantId} borrowerId={borrowerId} />
  ),
})

export const facilityColumn = (keep?: Keep): Column<TenantRow & { facility_id: string }> => ({
  ...{ head: 'Facility', ...(keep && { keep }) },
  cell: ({ tenant_id: tenantId, facility_id: facilityId }) => (
    <FacilityLink tenantId={tenantId} facilityId={facilityId} />
  ),
})

type FilterProps = { value: string | undefined; onChange: (value: string) => void }

/** Filters by a tenant, chosen by its name. Tenants of the same name differ by the end of their ids. */
export function TenantFilter({ value, onChange }: FilterProps) {
  const known = useTenants().map(({ id, name }) => ({
    value: id,
    label: `${name} · …${id.slice(-6)}`,
  }))
  const isKnown = value === undefined || known.some((one) => one.value === value)
  return (
    <FilterSelect
      label="Tenant"
      all="All tenants"
      value={value}
      onChange={onChange}
      options={isKnown ? known : [{ value, label: shorten(value) }, ...known]}
    />
  )
}

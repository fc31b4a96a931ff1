import { FilterSelect } from '../../../console/parts/lists/filters.tsx'
import { useBook } from './use-book.ts'

type TenantFilterProps = { value: string | undefined; onChange: (value: string) => void }

/** Those of most exposure, and the one that is chosen. */
export function TenantFilter({ value, onChange }: TenantFilterProps) {
  const { data } = useBook(undefined)
  const known = (data?.tenants ?? []).map(({ tenant_id: id, name }) => ({
    value: id,
    label: `${name} · …${id.slice(-6)}`,
  }))
  const isKnown = value === undefined || known.some((one) => one.value === value)
  const options = isKnown ? known : [{ value, label: value }, ...known]
  return (
    <FilterSelect
      label="Tenant"
      all="All tenants"
      value={value}
      onChange={onChange}
      options={options}
    />
  )
}

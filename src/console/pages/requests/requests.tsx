import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useFilters, usePages } from '../../../pages/data/lists.ts'
import { live } from '../../../pages/data/query-client.ts'
import { FilterBar, FilterSelect, FilterText, FilterTime } from '../../../pages/parts/filters.tsx'
import { Page } from '../../../pages/parts/page.tsx'
import { PagedPanel } from '../../../pages/parts/panels.tsx'
import { type Column, timeColumn } from '../../../pages/parts/table.tsx'
import { Id, ResourceId } from '../../../pages/parts/values.tsx'
import { type ApiRequest, consoleApi } from '../../data/console-api.ts'
import { RequestStatus } from './request-status.tsx'

const NAMES = ['method', 'status', 'code', 'key_id', 'path', 'resource', 'since', 'until'] as const

/** How the paths of signed requests begin; the console's own are among its actions. */
const SIGNED = '/v1/'

/** Requests are no events of the log. */
const REFETCH_MS = 2_000

/** fac_01m82pwk5ffk2t17kzz3d7gajp: fac_…gajp, so that a row is a line. Nothing breaks at the dots. */
const shortenIds = (path: string) =>
  path.replace(/([a-z]{3}_)[0-9a-z]{22}([0-9a-z]{4})/g, '$1…\u2060$2')

/** A narrow window breaks it before its slashes. */
function BreakablePath({ path }: { path: string }) {
  return path.split(/(?=\/)/).map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a path keep their places
    <Fragment key={place}>
      <wbr />
      {part}
    </Fragment>
  ))
}

const COLUMNS: readonly Column<ApiRequest>[] = [
  {
    head: 'Request',
    breaks: true,
    cell: ({ id, method, path }) => (
      <Link to="/requests/$id" params={{ id }} className="mono" title={`${method} ${path}`}>
        {method} <BreakablePath path={shortenIds(path)} />
      </Link>
    ),
  },
  { head: 'Answer', short: true, cell: (request) => <RequestStatus {...request} /> },
  { head: 'Request id', short: true, keep: 'lowest', cell: ({ id }) => <Id value={id} /> },
  {
    head: 'Took',
    short: true,
    align: 'right',
    keep: 'low',
    cell: ({ duration_ms }) => `${Math.round(duration_ms)} ms`,
  },
  {
    head: 'Resource',
    short: true,
    keep: 'lowest',
    cell: ({ resource_id }) =>
      resource_id ? <ResourceId value={resource_id} /> : <span className="quiet">–</span>,
  },
  timeColumn('At', ({ received_at }) => received_at, 'low'),
]

const KEYS_LINK = <Link to="/keys">Keys</Link>

export function RequestsPage() {
  const { filters, setFilter, isFiltered } = useFilters(NAMES)
  const pages = usePages<ApiRequest>({
    key: live('requests', filters),
    read: (from, signal) =>
      consoleApi.listRequests({ path: SIGNED, ...filters, from, limit: 100 }, signal),
    refetchMs: REFETCH_MS,
  })
  return (
    <Page
      title="Requests"
      about="What your keys asked of the API, for 7 days unless the operator has chosen another time. A refusal has its answer. Bodies are not kept."
    >
      <RequestFilters filters={filters} setFilter={setFilter} />
      <PagedPanel
        title="Requests"
        label="Requests, one a row"
        pages={pages}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={[
          'No requests',
          isFiltered
            ? 'None passes these filters.'
            : 'Make a key, and send your first signed request with it.',
          isFiltered ? undefined : KEYS_LINK,
        ]}
      />
    </Page>
  )
}

type FilterName = (typeof NAMES)[number]
type RequestFiltersProps = {
  filters: Partial<Record<FilterName, string>>
  setFilter: (name: FilterName, value: string) => void
}

function RequestFilters({ filters, setFilter }: RequestFiltersProps) {
  const keys = useQuery({ queryKey: live('keys'), queryFn: consoleApi.listKeys })
  const bind = (name: FilterName) => ({
    value: filters[name],
    onChange: (value: string) => setFilter(name, value),
  })
  return (
    <FilterBar>
      <FilterSelect label="Method" options={['GET', 'POST', 'PUT', 'DELETE']} {...bind('method')} />
      <FilterSelect
        label="Answer"
        options={[
          { value: '2xx', label: 'Success' },
          { value: '4xx', label: 'Refused' },
          { value: '5xx', label: 'Failed' },
        ]}
        {...bind('status')}
      />
      <FilterText label="Code" placeholder="signature_invalid" {...bind('code')} />
      <FilterText label="Path" placeholder="/v1/borrowers" {...bind('path')} />
      <FilterText label="Resource id" placeholder="fac_…" {...bind('resource')} />
      <FilterSelect
        label="Key"
        options={(keys.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        {...bind('key_id')}
      />
      <FilterTime label="Since" {...bind('since')} />
      <FilterTime label="Until" {...bind('until')} />
    </FilterBar>
  )
}

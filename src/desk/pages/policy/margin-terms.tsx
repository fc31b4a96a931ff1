import { useQuery } from '@tanstack/react-query'
import { formatLine } from '../../../pages/data/figures.ts'
import { live } from '../../../pages/data/query-client.ts'
import { type Column, DataTable } from '../../../pages/parts/table.tsx'
import { groupDigits } from '../../../pages/parts/values.tsx'
import { type Body, call, type Schemas } from '../../data/operator-api.ts'

export type Policy = Schemas['MarginPolicyVersions']
export type Terms = Policy['own_terms']

export function usePolicy() {
  return useQuery({
    queryKey: live('margin-policy'),
    queryFn: ({ signal }) => call('listMarginPolicyVersions', { signal }),
  })
}

export const termsInForce = ({ versions, own_terms: own }: Policy): Terms =>
  versions.find(({ state }) => state === 'in_force')?.terms ?? own

/** Converts terms to the form that the service accepts. The haircut of an asset is null if the asset has none,
 * or if only the version before has the asset: the new version then does not name it. */
export function toChange(terms: Terms, before?: Terms): Body<'proposeMarginPolicy'>['terms'] {
  const assets = new Set([...Object.keys(before?.haircuts ?? {}), ...Object.keys(terms.haircuts)])
  const haircuts = [...assets].map((asset) => [asset, terms.haircuts[asset] || null])
  return {
    ...terms,
    haircuts: Object.fromEntries(haircuts),
  } as Body<'proposeMarginPolicy'>['terms']
}

type Row = { name: string; inForce: string; next: string | undefined }

/** An asset without a haircut. */
const NOT_NAMED = 'not named'

/** What differs in the next version is marked. */
export function TermsTable({ inForce, next }: { inForce: Terms; next: Terms | undefined }) {
  const [now, then] = [new Map(listTerms(inForce)), next && new Map(listTerms(next))]
  const rows = [...new Set([...now.keys(), ...(then?.keys() ?? [])])].map((name) => ({
    name,
    inForce: now.get(name) ?? NOT_NAMED,
    next: then && (then.get(name) ?? NOT_NAMED),
  }))
  const columns: readonly Column<Row>[] = [
    { head: 'Term', cell: ({ name }) => name },
    { head: 'In force', align: 'right', cell: (row) => row.inForce },
    ...(next
      ? [
          {
            head: 'Next',
            align: 'right' as const,
            cell: (row: Row) =>
              row.next === row.inForce ? (
                <span className="quiet">same</span>
              ) : (
                <strong>{row.next}</strong>
              ),
          },
        ]
      : []),
  ]
  return <DataTable label="Terms" columns={columns} rows={rows} rowKey={({ name }) => name} />
}

function listTerms(terms: Terms): [name: string, value: string][] {
  return [
    ['Warned above an LTV of', formatLine(terms.floor_ltv)],
    ...terms.tiers.flatMap(({ above_ltv: line, cure_hours: hours }, at): [string, string][] => [
      [`Tier ${at + 1} above`, formatLine(line)],
      [`Tier ${at + 1}, hours to cure`, String(hours)],
    ]),
    ['Critical above', formatLine(terms.critical_ltv)],
    ['Cured at or below', formatLine(terms.cure_ltv)],
    ['Sold down to', formatLine(terms.target_ltv)],
    ...Object.entries(terms.haircuts).map(([asset, cut]): [string, string] => [
      `Haircut ${asset}`,
      formatLine(cut),
    ]),
    ['Planned fee of a sale', formatLine(terms.sale_fee)],
    ['Whole debt sold off from', formatLine(terms.deep_ltv)],
    ['Or if less would be left, USD', groupDigits(terms.dust_usd)],
    ['Not warned below, USD', groupDigits(terms.least_usd)],
    ['A price must hold, seconds', String(terms.confirm_seconds)],
    ['Relapse within, hours', String(terms.relapse_hours)],
    ['Least time after a relapse, hours', String(terms.relapse_least_hours)],
  ]
}

import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Loading, ProblemAlert } from '../../../pages/parts/page.tsx'
import { type Column, DataTable } from '../../../pages/parts/table.tsx'
import { Money } from '../../../pages/parts/values.tsx'
import { createTurns } from '../../data/in-turn.ts'
import { type Answer, call } from '../../data/operator-api.ts'
import { useBook } from '../book/use-book.ts'
import { type Terms, toChange } from './margin-terms.tsx'

export type PolicyPreview = Answer<'proposeMarginPolicy'>['preview']

/** A pass over the book: one at a time. */
export const inTurn = createTurns()

export const SETTLE_MS = 500

/** Reads what the terms would change in the book now. */
function usePolicyEffect(terms: Terms | undefined, before: Terms | undefined) {
  const [settled] = useDebouncedValue(terms, SETTLE_MS)
  return useQuery({
    queryKey: ['policy-effect', settled],
    queryFn: ({ signal }) =>
      inTurn(
        () => call('previewMarginPolicy', { body: { terms: toChange(settled as Terms, before) } }),
        signal,
      ),
    enabled: settled !== undefined,
    staleTime: 30_000,
  })
}

type Figure = { name: string; of: (preview: PolicyPreview) => React.ReactNode }

const FIGURES: readonly Figure[] = [
  { name: 'Newly warned, tier 1', of: ({ warned_by_tier: warned }) => warned[1] },
  { name: 'Newly warned, tier 2', of: ({ warned_by_tier: warned }) => warned[2] },
  { name: 'Newly warned, tier 3', of: ({ warned_by_tier: warned }) => warned[3] },
  { name: 'Their debt', of: (preview) => <Money amount={preview.warned_debt_usd} /> },
  { name: 'Warning would rise', of: ({ worsened }) => worsened },
  { name: 'Newly sold', of: ({ sold }) => sold },
  { name: 'Debt of those', of: (preview) => <Money amount={preview.sold_debt_usd} /> },
  { name: 'No longer warned or sold', of: ({ relieved }) => relieved },
]

type EffectProps = {
  terms: Terms | undefined
  /** The terms of the version that they would follow. */
  before?: Terms | undefined
  /** The effect at the time when the terms were proposed. */
  proposed?: PolicyPreview | undefined
}

/** If every loan were bound to the terms: warnings and sales that the book of now would get. */
export function PolicyEffect({ terms, before, proposed }: EffectProps) {
  const { data, error, isFetching } = usePolicyEffect(terms, before)
  const now = data?.preview
  return (
    <section aria-label="Effect on the book" aria-busy={isFetching}>
      <ProblemAlert error={error} />
      {terms && !now && !error && <Loading />}
      <EffectTable now={now} proposed={proposed} />
    </section>
  )
}

type TableProps = { now: PolicyPreview | undefined; proposed?: PolicyPreview | undefined }

/** Nothing while neither is known. */
export function EffectTable({ now, proposed }: TableProps) {
  const columns: readonly Column<Figure>[] = [
    { head: 'What changes in the book', cell: ({ name }) => name },
    ...(proposed
      ? [{ head: 'When proposed', align: 'right' as const, cell: ({ of }: Figure) => of(proposed) }]
      : []),
    ...(now ? [{ head: 'Now', align: 'right' as const, cell: ({ of }: Figure) => of(now) }] : []),
  ]
  if (columns.length === 1) return null
  return <DataTable label="Effect" columns={columns} rows={FIGURES} rowKey={({ name }) => name} />
}

/** Shows the debt owed from a country. A rule of residency does not change it. */
export function ResidencyEffect({ country }: { country: string }) {
  const { data, error } = useBook(undefined)
  const owed = data?.countries.find((one) => one.country === country)
  return (
    <section aria-label="Effect on the book">
      <ProblemAlert error={error} />
      {data && (
        <p className="quiet">
          It holds for new applications.{' '}
          {owed ? (
            <>
              {owed.facilities} {owed.facilities === 1 ? 'loan' : 'loans'} of {country} owing{' '}
              <Money amount={owed.exposure_usd} /> stay as they are.
            </>
          ) : (
            `No loan of ${country} owes anything now.`
          )}
        </p>
      )}
    </section>
  )
}

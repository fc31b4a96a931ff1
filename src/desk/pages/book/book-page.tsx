import { formatLine, formatRatio, formatUnits, toCents } from '../../../pages/data/figures.ts'
import { useFilters } from '../../../pages/data/lists.ts'
import type { Search } from '../../../pages/frame/application.ts'
import { FilterBar } from '../../../pages/parts/filters.tsx'
import { Empty, Loading, Page, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { groupDigits, Time } from '../../../pages/parts/values.tsx'
import type { Schemas } from '../../data/operator-api.ts'
import { TenantFilter } from '../../parts/tenants.tsx'
import classes from './book.module.css'
import { Figures } from './figures.tsx'
import { countFacilities, type Share, Shares } from './shares.tsx'
import { useBook } from './use-book.ts'

type Book = Schemas['Book']

export function BookPage() {
  const { filters, setFilter } = useFilters(['tenant_id'])
  const { tenant_id: tenantId } = filters
  const { data: book, error, isPending } = useBook(tenantId)
  const of: Search = tenantId === undefined ? {} : { tenant_id: tenantId }
  return (
    <Page
      title="Book"
      about={
        book ? (
          <>
            What facilities owe, against what. Read at <Time at={book.read_at} />.
          </>
        ) : (
          'What facilities owe, against what.'
        )
      }
      actions={
        <FilterBar>
          <TenantFilter value={tenantId} onChange={(value) => setFilter('tenant_id', value)} />
        </FilterBar>
      }
    >
      <ProblemAlert error={error} />
      {isPending && <Loading />}
      {book && <Figures book={book} of={of} />}
      {book && book.exposure.facilities === 0 && (
        <Panel title="Nothing is owed" flush>
          <Empty title="No facility owes anything yet">
            Once a draw is paid out, its facility appears here by ratio, asset, tenant, country and
            borrower. Applications that wait are under Reviews.
          </Empty>
        </Panel>
      )}
      {book && book.exposure.facilities > 0 && <Parts book={book} of={of} />}
    </Page>
  )
}

function Parts({ book, of }: { book: Book; of: Search }) {
  return (
    <div className={classes.panels}>
      <Panel title="Exposure by ratio" flush>
        <Shares label="Exposure by ratio" shares={bands(book, of)} />
      </Panel>
      <Panel title="Collateral by asset" flush>
        <Shares label="Collateral by asset" shares={assets(book, of)} />
      </Panel>
      <Panel title="Open warnings by tier" flush>
        <Shares label="Open warnings by tier" shares={tiers(book, of)} />
      </Panel>
      <Panel title="Exposure by country" flush>
        <Shares label="Exposure by country" shares={countries(book, of)} />
      </Panel>
      {book.tenant_id === null && (
        <Panel title="Exposure by tenant" flush>
          <Shares label="Exposure by tenant" shares={tenants(book)} />
        </Panel>
      )}
      <Panel title="Largest borrowers" flush>
        <Shares label="Largest borrowers" shares={borrowers(book)} />
      </Panel>
    </div>
  )
}

function bands({ ltv }: Book, of: Search): Share[] {
  return ltv.distribution.map(({ above_ltv: above, to_ltv: to, ...band }) => ({
    key: above ?? '0',
    name: nameBand(above, to),
    note: countFacilities(band.facilities),
    amountUsd: band.exposure_usd,
    share: band.share,
    search: {
      ...{ ...of, figure: 'exposure' },
      ...(above !== null && { above_ltv: above }),
      ...(to !== null && { to_ltv: to }),
    },
    ...(to === null && { tone: 'bad' as const }),
  }))
}

function nameBand(above: string | null, to: string | null): string {
  if (above === null) return `up to ${formatLine(to ?? '0')}`
  return to === null
    ? `above ${formatLine(above)}`
    : `${formatLine(above).replace(' %', '')} to ${formatLine(to)}`
}

function assets({ collateral }: Book, of: Search): Share[] {
  return collateral.assets
    .filter(({ facilities }) => facilities > 0)
    .sort((a, b) => Number(b.share) - Number(a.share))
    .map(({ asset, quantity, value_usd: amountUsd, share }) => ({
      ...{ key: asset, name: asset, note: groupDigits(quantity), amountUsd, share },
      search: { ...of, figure: 'collateral', asset },
    }))
}

function tiers({ warnings }: Book, of: Search): Share[] {
  const all = toCents(warnings.exposure_usd)
  return warnings.tiers.map(({ tier, open, exposure_usd: amountUsd }) => ({
    key: String(tier),
    name: `Tier ${tier}`,
    note: `${open.toLocaleString('en')} open`,
    amountUsd,
    share: formatUnits(all === 0n ? 0n : (toCents(amountUsd) * 1_000_000n) / all, 6),
    search: { ...of, figure: 'warnings', tier: String(tier) },
    tone: tier === 3 ? 'bad' : 'warn',
  }))
}

function countries(book: Book, of: Search): Share[] {
  return book.countries.map(({ country, facilities, exposure_usd: amountUsd, share }) => ({
    ...{ key: country, name: country, note: countFacilities(facilities), amountUsd, share },
    search: { ...of, figure: 'exposure', country },
  }))
}

function tenants(book: Book): Share[] {
  return book.tenants
    .filter(({ facilities }) => facilities > 0)
    .map(({ tenant_id: id, name, facilities, exposure_usd: amountUsd, share }) => ({
      ...{ key: id, name, note: countFacilities(facilities), amountUsd, share },
      search: { figure: 'exposure', tenant_id: id },
    }))
}

function borrowers(book: Book): Share[] {
  return book.borrowers.map((one) => ({
    key: one.borrower_id,
    name: `…${one.borrower_id.slice(-8)}`,
    note: `${one.country}, LTV ${formatRatio(one.ltv, 1)}`,
    amountUsd: one.exposure_usd,
    share: one.share,
    search: { figure: 'exposure', borrower_id: one.borrower_id },
  }))
}

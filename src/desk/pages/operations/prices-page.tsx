import { useQuery } from '@tanstack/react-query'
import { Page } from '../../../pages/parts/page.tsx'
import { TablePanel } from '../../../pages/parts/panels.tsx'
import type { Column } from '../../../pages/parts/table.tsx'
import { groupDigits, Status } from '../../../pages/parts/values.tsx'
import { call, type Schemas } from '../../data/operator-api.ts'
import { formatSeconds, formatShare } from './format.ts'
import { OperationsTabs } from './operations-tabs.tsx'

type PricedAsset = Schemas['PriceSources']['items'][number]

const OLD_SECONDS = 120
const WIDE_SHARE = 0.01

const COLUMNS: readonly Column<PricedAsset>[] = [
  { head: 'Asset', short: true, cell: ({ asset }) => asset },
  {
    head: 'Price, USD',
    align: 'right',
    short: true,
    cell: ({ price }) => <span className="figures">{groupDigits(price)}</span>,
  },
  {
    head: 'Age',
    align: 'right',
    short: true,
    cell: ({ age_seconds }) => (
      <Status tone={age_seconds > OLD_SECONDS ? 'bad' : 'good'}>
        {formatSeconds(age_seconds)}
      </Status>
    ),
  },
  {
    head: 'Spread',
    align: 'right',
    short: true,
    cell: ({ spread }) => (
      <Status tone={Number(spread) > WIDE_SHARE ? 'warn' : 'good'}>{formatShare(spread)}</Status>
    ),
  },
  {
    head: 'Quotes',
    keep: 'low',
    cell: ({ quotes }) =>
      quotes.map(({ source, price, age_seconds }) => (
        <div key={source}>
          {source} <span className="figures">{groupDigits(price)}</span>{' '}
          <span className="quiet">{formatSeconds(age_seconds)} old</span>
        </div>
      )),
  },
]

export function PricesPage() {
  const prices = useQuery({
    queryKey: ['operations', 'prices'],
    queryFn: () => call('listPriceSources', {}),
    refetchInterval: 5_000,
  })
  const { data, error } = prices
  return (
    <Page
      title="Prices"
      about="The last accepted price of each asset, the quotes that it is the median of, and the spread between them."
    >
      <OperationsTabs />
      <TablePanel
        title="Accepted prices"
        label="Prices, one a row"
        columns={COLUMNS}
        rowKey={({ asset }) => asset}
        rows={data?.items}
        error={error}
        empty={[
          'No price was accepted.',
          'A sandbox makes no rounds of prices: each tenant sets its own. On live, workers ask the exchanges every few seconds.',
        ]}
      />
    </Page>
  )
}

import type { Facility } from '../../../../client/index.ts'
import { formatLine } from '../../../../pages/data/figures.ts'
import { TablePanel } from '../../../../pages/parts/panels.tsx'
import type { Column } from '../../../../pages/parts/table.tsx'
import { groupDigits, roundPrice, Status, Time } from '../../../../pages/parts/values.tsx'
import { useLevels } from '../../../data/lending.ts'
import type { Levels } from '../../../data/lending-types.ts'
import { LINES, meaningOf } from './lines.ts'

type Level = Levels['levels'][number]

export function LevelsPanel({ facility }: { facility: Facility }) {
  const { data, error } = useLevels(facility.id, true)
  return (
    <TablePanel
      title="Price levels"
      label="The price of each asset at which a line is reached"
      columns={columnsOf(data?.levels ?? [], facility.terms)}
      rowKey={({ line }) => line}
      rows={data?.levels}
      error={error}
      empty={[
        'There are no levels',
        'Nothing is owed that could be warned about. After a draw, this shows the price of each asset at which a warning would be raised.',
      ]}
    />
  )
}

/** A column for each asset that alone decides a line. */
function columnsOf(levels: readonly Level[], terms: Facility['terms']): readonly Column<Level>[] {
  const assets = [...new Set(levels.flatMap(({ prices }) => prices.map(({ asset }) => asset)))]
  return [
    { head: 'Line', short: true, cell: ({ line }) => LINES[line] },
    { head: 'Above', align: 'right', short: true, cell: ({ ltv }) => formatLine(ltv) },
    { head: 'Then', keep: 'low', cell: (level) => describeLevel(level, terms) },
    {
      head: 'State',
      short: true,
      keep: 'low',
      cell: ({ reached }) => reached && <Status tone="warn">Reached</Status>,
    },
    {
      head: 'Fall of all',
      align: 'right',
      keep: 'low',
      cell: ({ fall_percent: fall, reached }) => (reached ? '–' : `${Number(fall).toFixed(2)} %`),
    },
    ...assets.map((asset) => ({
      head: `${asset} at (USD)`,
      align: 'right' as const,
      cell: ({ prices }: Level) => {
        const price = prices.find((level) => level.asset === asset)?.price_usd
        return price === undefined ? (
          '–'
        ) : (
          <span title={price}>{groupDigits(roundPrice(price))}</span>
        )
      },
    })),
  ]
}

function describeLevel({ line, from }: Level, terms: Facility['terms']) {
  if (from === undefined) return meaningOf(line, terms)
  return (
    <>
      {meaningOf(line, terms)} after <Time at={from} />
    </>
  )
}

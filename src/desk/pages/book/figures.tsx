import { Link } from '@tanstack/react-router'
import { formatRatio } from '../../../pages/data/figures.ts'
import type { Search } from '../../../pages/frame/application.ts'
import { inUsd } from '../../../pages/parts/values.tsx'
import type { Schemas } from '../../data/operator-api.ts'
import classes from './book.module.css'
import { countFacilities } from './shares.tsx'

type Book = Schemas['Book']

/** Each leads to what was summed. */
export function Figures({ book, of }: { book: Book; of: Search }) {
  const { exposure, commitments, collateral, ltv, deficits, stale } = book
  const { warnings, margin_calls: calls, charged_off: ended } = book
  const figures: readonly FigureProps[] = [
    {
      ...{ figure: 'exposure', label: 'Exposure', value: usd(exposure.total_usd) },
      note: `${countFacilities(exposure.facilities)}, interest ${usd(exposure.interest_usd)}`,
    },
    {
      ...{ figure: 'commitments', label: 'Undrawn', value: usd(commitments.undrawn_usd) },
      note: `of limits of ${usd(commitments.limits_usd)}`,
    },
    {
      ...{ figure: 'collateral', label: 'Collateral', value: usd(collateral.value_usd) },
      note: 'after haircuts',
    },
    {
      ...{ figure: 'exposure', label: 'LTV, weighted', value: formatRatio(ltv.weighted) },
      note: `${formatRatio(ltv.total)} in all`,
    },
    {
      ...{ figure: 'warnings', label: 'Open warnings', value: count(warnings.open) },
      note: usd(warnings.exposure_usd),
    },
    {
      ...{ figure: 'margin_calls', label: 'Margin calls', value: count(calls.running) },
      note: usd(calls.exposure_usd),
    },
    {
      ...{ figure: 'deficits', label: 'Deficits', value: usd(deficits.deficit_usd) },
      ...{ note: countFacilities(deficits.facilities), isBad: deficits.facilities > 0 },
    },
    {
      ...{ figure: 'stale', label: 'At old prices', value: usd(stale.exposure_usd) },
      ...{ note: countFacilities(stale.facilities), isBad: stale.facilities > 0 },
    },
    {
      ...{ figure: 'interest', label: 'Interest earned', value: usd(book.interest.earned_usd) },
      note: 'since the first draws',
    },
    {
      ...{ figure: 'charged_off', label: 'Charged off', value: usd(ended.total_usd) },
      note: `recovered ${usd(ended.recovered_usd)}`,
    },
  ]
  return (
    <div className={classes.figures}>
      {figures.map((figure) => (
        <Figure key={figure.label} {...figure} of={of} />
      ))}
    </div>
  )
}

const usd = inUsd
const count = (of: number) => of.toLocaleString('en')

type FigureProps = { figure: string; label: string; value: string; note: string; isBad?: boolean }

function Figure({ figure, label, value, note, isBad, of }: FigureProps & { of: Search }) {
  return (
    <Link
      to="/book/facilities"
      search={{ ...of, figure }}
      className={classes.figure}
      data-bad={isBad || undefined}
    >
      <span>{label}</span>
      <strong>{value}</strong>
      <span>{note}</span>
    </Link>
  )
}

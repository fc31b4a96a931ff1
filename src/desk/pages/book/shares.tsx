import { Link } from '@tanstack/react-router'
import { formatRatio } from '../../../pages/data/figures.ts'
import type { Search } from '../../../pages/frame/application.ts'
import { Money } from '../../../pages/parts/values.tsx'
import classes from './book.module.css'

export type Share = {
  key: string
  name: string
  /** Beside the name. */
  note?: string
  amountUsd: string
  share: string
  search: Search
  tone?: 'warn' | 'bad'
}

/** Parts of a whole, each leading to the facilities that make it up. A bar is as long as its share. */
export function Shares({ label, shares }: { label: string; shares: readonly Share[] }) {
  return (
    <ol className={classes.shares} aria-label={label}>
      {shares.map(({ key, name, note, amountUsd, share, search, tone }) => (
        <li key={key}>
          <Link to="/book/facilities" search={search} data-tone={tone}>
            <span className={classes.name} title={name}>
              {name}
              {note !== undefined && <small>{note}</small>}
            </span>
            <span className={classes.track} aria-hidden="true">
              <span style={{ width: `${Number(share) * 100}%` }} />
            </span>
            <span className={classes.amount}>
              <Money amount={amountUsd} />
            </span>
            <span className={classes.share}>{formatRatio(share, 1)}</span>
          </Link>
        </li>
      ))}
    </ol>
  )
}

export function countFacilities(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'facility' : 'facilities'}`
}

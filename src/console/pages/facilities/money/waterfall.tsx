import type { Repayment } from '../../../../client/index.ts'
import { toCents } from '../../../../pages/data/figures.ts'
import { Money } from '../../../../pages/parts/values.tsx'
import classes from './money.module.css'

type Allocation = NonNullable<Repayment['allocation']>

const PARTS = [
  { name: 'interest', title: 'Interest' },
  { name: 'principal', title: 'Principal' },
  { name: 'refund_due', title: 'To be refunded' },
] as const satisfies readonly { name: keyof Allocation; title: string }[]

/** Where the money went: interest first, then principal; what is left is refunded. */
export function Waterfall({ allocation }: { allocation: Allocation }) {
  const total = PARTS.reduce((sum, { name }) => sum + toCents(allocation[name].amount), 0n)
  const shareOf = (name: keyof Allocation) =>
    total === 0n ? 0 : Number((toCents(allocation[name].amount) * 10_000n) / total) / 100
  return (
    <section aria-label="Waterfall">
      <h3>Waterfall</h3>
      <div className={classes.waterfall} aria-hidden>
        {PARTS.map(({ name }) => (
          <span key={name} data-part={name} style={{ width: `${shareOf(name)}%` }} />
        ))}
      </div>
      <dl className={classes.parts}>
        {PARTS.map(({ name, title }) => (
          <div key={name}>
            <dt data-part={name}>{title}</dt>
            <dd>
              <Money {...allocation[name]} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

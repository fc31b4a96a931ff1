import type { Repayment } from '../../../../client/index.ts'
import { Money } from '../../../../pages/parts/values.tsx'
import classes from './money.module.css'

/** What is to be moved, in order. */
export function Instructions({
  steps,
  isDone,
}: {
  steps: Repayment['instructions']
  isDone: boolean
}) {
  return (
    <section aria-label="Instructions">
      <h3>{isDone ? 'Carried out' : 'Carry out, in this order'}</h3>
      <ol className={classes.steps}>
        {steps.map(({ operation, source, destination, amount, asset }) => (
          <li key={`${operation} ${source} ${destination} ${amount}`}>
            {operation.charAt(0).toUpperCase() + operation.slice(1)}{' '}
            <Money amount={amount} asset={asset} /> from <strong>{source}</strong> to{' '}
            <strong>{destination}</strong>
          </li>
        ))}
      </ol>
      {!isDone && (
        <p className="quiet">
          clc is the lender. Report the transfer within 72 hours of the announcement.{' '}
          <a href="/docs/guides/payments#how-a-borrower-pays">How to pay</a>
        </p>
      )}
    </section>
  )
}

import { explainDecision } from '../../../pages/lending/explain-decision.ts'
import classes from '../../../pages/lending/lending.module.css'
import { Why } from '../../../pages/lending/why.tsx'
import { Notice } from '../../../pages/parts/page.tsx'
import type { Decision } from '../../data/margin.ts'

/** A decision in words with its record, and whether the ladder decides the same from it. */
export function DecisionEntry({ decision }: { decision: Decision }) {
  const { headline, reasons, recomputed } = explainDecision(decision)
  return (
    <>
      <h3>{headline}</h3>
      <p className={classes.first}>{reasons[1] ?? reasons[0]}</p>
      {!decision.agrees && (
        <Notice tone="bad" title="The record is wrong">
          It says: {decision.recorded}. Decided again from the recorded inputs:{' '}
          {decision.recomputed}.
        </Notice>
      )}
      <Why decision={decision} reasons={reasons} recomputed={recomputed} />
    </>
  )
}

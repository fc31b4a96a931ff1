import type { SandboxOutcome } from '../../../client/index.ts'
import { useChange } from '../../../pages/data/use-change.ts'
import { GuardedButton } from '../../../pages/parts/forms.tsx'
import { ProblemAlert } from '../../../pages/parts/page.tsx'
import { service } from '../../data/console-api.ts'

const OUTCOMES: readonly { outcome: SandboxOutcome; label: string }[] = [
  { outcome: 'pass', label: 'Pass' },
  { outcome: 'review', label: 'Review' },
  { outcome: 'fail', label: 'Fail' },
]

/** On the sandbox you are the compliance provider too. */
export function DecideCompliance({ borrowerId }: { borrowerId: string }) {
  const decide = useChange({
    change: (outcome: SandboxOutcome, idempotencyKey) =>
      service.setSandboxCompliance(borrowerId, outcome, { idempotencyKey }),
  })
  return (
    <>
      {decide.error && <ProblemAlert error={decide.error} />}
      <span className="quiet">Decide the open checks:</span>
      {OUTCOMES.map(({ outcome, label }) => (
        <GuardedButton
          key={outcome}
          scope="borrower:write"
          variant="default"
          onClick={() => decide.mutate(outcome)}
        >
          {label}
        </GuardedButton>
      ))}
    </>
  )
}

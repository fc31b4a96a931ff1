import { SegmentedControl, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { SandboxProviderAnswer } from '../../../client/index.ts'
import { useChange } from '../../../pages/data/use-change.ts'
import { Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { useCan } from '../../../pages/sign-in/session.ts'
import { service } from '../../data/console-api.ts'

const ANSWERS: readonly { value: SandboxProviderAnswer; label: string }[] = [
  { value: 'succeed', label: 'Succeeds' },
  { value: 'delay', label: 'Takes 3 s' },
  { value: 'fail', label: 'Fails' },
]

const PROVIDERS = [
  {
    name: 'Custodian',
    scope: 'facility:write',
    about: 'Its next floor, release, order, or question about an account.',
    set: service.setSandboxCustodian,
  },
  {
    name: 'Payments',
    scope: 'repayment:write',
    about: 'Its next payment of a draw, or the confirmation of a repayment.',
    set: service.setSandboxPayments,
  },
] as const

export function ProvidersPanel() {
  return (
    <Panel title="Providers">
      <Stack gap="lg">
        {PROVIDERS.map((provider) => (
          <Provider key={provider.name} {...provider} />
        ))}
        <p className="quiet">
          The checks of a borrower are decided on the <Link to="/borrowers">borrower’s page</Link>,
          or by the tag of the signer’s e-mail address. Events that you make up are sent from the
          page of a <Link to="/webhooks">webhook</Link>.
        </p>
      </Stack>
    </Panel>
  )
}

type ProviderProps = (typeof PROVIDERS)[number]

/** A choice holds for one call; afterwards calls succeed again. */
function Provider({ name, scope, about, set }: ProviderProps) {
  const can = useCan(scope)
  const [chosen, setChosen] = useState<SandboxProviderAnswer>('succeed')
  const choose = useChange({
    change: (next: SandboxProviderAnswer, idempotencyKey) => set(next, { idempotencyKey }),
    onDone: ({ next }) => setChosen(next),
  })
  return (
    <div>
      <h3 id={`next-${name}`}>{name}: the next call</h3>
      <p className="quiet">{about}</p>
      <SegmentedControl
        mt={8}
        size="xs"
        aria-labelledby={`next-${name}`}
        disabled={!can}
        title={can ? undefined : `Your role does not include ${scope}.`}
        data={[...ANSWERS]}
        value={chosen}
        onChange={(value) => choose.mutate(value as SandboxProviderAnswer)}
      />
      {chosen !== 'succeed' && (
        <p className="quiet" role="status">
          Chosen. It holds for one call; the calls after it succeed again.
        </p>
      )}
      <ProblemAlert error={choose.error} />
    </div>
  )
}

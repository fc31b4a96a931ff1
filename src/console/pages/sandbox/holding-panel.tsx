import { Group, NumberInput, Select, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { live } from '../../../pages/data/query-client.ts'
import { useChange } from '../../../pages/data/use-change.ts'
import { GuardedButton } from '../../../pages/parts/forms.tsx'
import { Empty, Notice, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { service } from '../../data/console-api.ts'
import { type Position, PositionsField } from '../../parts/asset-fields.tsx'

type Holding = { borrowerId: string; positions: readonly Position[] | null; lateSeconds: number }

/** What the custodian answers that a borrower holds, whatever is pushed. */
export function HoldingPanel() {
  const { data, error } = useQuery({
    queryKey: live('borrowers', 'newest'),
    queryFn: ({ signal }) => service.listBorrowers({ limit: 100 }, { signal }),
  })
  const [chosen, setChosen] = useState<string | null>(null)
  const [positions, setPositions] = useState<Position[]>([{ asset: 'BTC', quantity: '1' }])
  const [late, setLate] = useState<number | string>(0)
  const set = useChange({
    change: (holding: Holding, idempotencyKey) =>
      service.setSandboxCustodianPositions(
        holding.borrowerId,
        holding.positions && [...holding.positions],
        { lateSeconds: holding.lateSeconds, idempotencyKey },
      ),
  })
  const borrowers = data?.items ?? []
  const borrowerId = chosen ?? borrowers[0]?.id
  if (data && borrowers.length === 0) {
    return (
      <Panel title="Change what the custodian holds" flush>
        <Empty title="There is no borrower yet">
          Play a story, or create a borrower, and choose here what the custodian holds.
        </Empty>
      </Panel>
    )
  }
  const apply = (held: readonly Position[] | null) => {
    if (borrowerId === undefined) return
    set.mutate({ borrowerId, positions: held, lateSeconds: Number(late) || 0 })
  }
  return (
    <Panel title="Change what the custodian holds">
      <Stack gap="sm">
        <ProblemAlert error={error} />
        <Select
          label="Borrower"
          searchable
          allowDeselect={false}
          data={borrowers.map(({ id, external_id: name }) => ({ value: id, label: name ?? id }))}
          value={borrowerId ?? null}
          onChange={setChosen}
        />
        <PositionsField positions={positions} onChange={setPositions} />
        <NumberInput
          label="Seconds until it answers"
          description="By the sandbox’s clock, for questions about a push or an escalation."
          min={0}
          allowDecimal={false}
          value={late}
          onChange={setLate}
        />
        <Group gap="xs">
          <GuardedButton
            scope="facility:write"
            loading={set.isPending}
            onClick={() => apply(positions)}
          >
            Hold this
          </GuardedButton>
          <GuardedButton scope="facility:write" variant="default" onClick={() => apply(null)}>
            Hold what is pushed
          </GuardedButton>
        </Group>
        <ProblemAlert error={set.error} />
        {set.data && (
          <Notice tone="good" title="Done">
            {set.data.positions === null
              ? 'The custodian holds what is pushed.'
              : 'The custodian holds this from now on, less what is sold.'}
          </Notice>
        )}
      </Stack>
    </Panel>
  )
}

import { Button } from '@mantine/core'
import { useState } from 'react'
import { live, queryClient } from '../../../pages/data/query-client.ts'
import { SelectField } from '../../../pages/parts/fields.tsx'
import { Notice } from '../../../pages/parts/page.tsx'
import { Time } from '../../../pages/parts/values.tsx'
import { useCan } from '../../../pages/sign-in/session.ts'
import type { DeskFacility } from '../../data/margin.ts'
import { call } from '../../data/operator-api.ts'
import { type Outcome, ReasonDialog } from '../../parts/reason-dialog.tsx'

type Hold = DeskFacility['holds'][number]

type Kind = Hold['kind']

export const HOLD_KINDS: Readonly<Record<Kind, string>> = {
  bankruptcy: 'Bankruptcy',
  court_order: 'Court order',
  freeze: 'Freeze',
  death: 'Death',
  dispute: 'Dispute',
  other: 'Other',
}

const refresh = () => queryClient.invalidateQueries({ queryKey: live() })

const pathOf = ({ tenant_id, id }: DeskFacility) => ({ tenant_id, facility_id: id })

/** Red while holds lie: each with its kind and reason, which the tenant does not see. */
export function HoldBand({ facility }: { facility: DeskFacility }) {
  const lying = facility.holds.filter(({ lifted_at }) => lifted_at === null)
  if (lying.length === 0) return null
  return (
    <Notice tone="bad" title="On hold: nothing escalates, sells, pays out or is released.">
      {lying.map((hold) => (
        <p key={hold.id}>
          {HOLD_KINDS[hold.kind]}, since <Time at={hold.since} />: {hold.reason}{' '}
          <LiftHold facility={facility} hold={hold} />
        </p>
      ))}
    </Notice>
  )
}

function LiftHold({ facility, hold }: { facility: DeskFacility; hold: Hold }) {
  const [isOpen, setOpen] = useState(false)
  const run = async (reason: string): Promise<Outcome> => {
    const path = { ...pathOf(facility), hold_id: hold.id }
    const outcome = await call('releaseFacility', { path, body: { reason } })
    await refresh()
    return outcome
  }
  if (!useCan('facilities.release')) return null
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        Lift
      </Button>
      <ReasonDialog
        title="Lift the hold?"
        act="Lift"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        run={run}
      >
        Another operator confirms it where acts need two. When the last hold is lifted, what they
        stopped goes on; a warning that is not critical then has at least two hours.
      </ReasonDialog>
    </>
  )
}

export function HoldFacility({ facility }: { facility: DeskFacility }) {
  const [isOpen, setOpen] = useState(false)
  const [kind, setKind] = useState<Kind>('bankruptcy')
  const mayHold = useCan('facilities.hold')
  const run = async (reason: string): Promise<Outcome> => {
    const outcome = await call('holdFacility', { path: pathOf(facility), body: { kind, reason } })
    await refresh()
    return outcome
  }
  if (!mayHold || facility.state === 'DECLINED') return null
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        Put on hold
      </Button>
      <ReasonDialog
        title="Put the facility on hold?"
        act="Hold"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        run={run}
        fields={
          <SelectField
            label="Kind"
            value={kind}
            data={Object.entries(HOLD_KINDS).map(([value, label]) => ({ value, label }))}
            onChange={setKind}
          />
        }
      >
        At once nothing of it escalates, sells, pays out or is released, and what was sent is
        recalled. The tenant sees that it is on hold, and not why.
      </ReasonDialog>
    </>
  )
}

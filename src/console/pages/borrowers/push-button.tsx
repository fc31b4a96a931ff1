import { Text } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../../pages/data/use-change.ts'
import { FormModal, GuardedButton } from '../../../pages/parts/forms.tsx'
import { service, useSession } from '../../data/console-api.ts'
import { readTenantNow } from '../../data/tenant-clock.ts'
import { type Position, PositionsField } from '../../parts/asset-fields.tsx'

type PushProps = { borrowerId: string; held: readonly Position[] }

/** Replaces the portfolio as of now, by the tenant's clock. */
export function PushButton({ borrowerId, held }: PushProps) {
  const { stack } = useSession()
  const [isOpen, setOpen] = useState(false)
  const [positions, setPositions] = useState<Position[]>([])
  const close = () => {
    setOpen(false)
    push.reset()
  }
  const push = useChange({
    change: async (given: readonly Position[], idempotencyKey) => {
      const snapshot = { as_of: await readTenantNow(stack), positions: [...given] }
      return service.putPortfolio(borrowerId, snapshot, { idempotencyKey })
    },
    onDone: close,
  })
  const open = () => {
    setPositions(held.length > 0 ? [...held] : [{ asset: 'BTC', quantity: '' }])
    setOpen(true)
  }
  return (
    <>
      <GuardedButton scope="portfolio:write" onClick={open}>
        Push a portfolio
      </GuardedButton>
      <FormModal
        title="Push a portfolio"
        submit="Push"
        isOpen={isOpen}
        isPending={push.isPending}
        error={push.error}
        onClose={close}
        onSubmit={(event) => {
          event.preventDefault()
          push.mutate(positions)
        }}
      >
        <Text size="sm" c="dimmed">
          It replaces the one before: what is left out is no longer held.
        </Text>
        <PositionsField positions={positions} onChange={setPositions} />
      </FormModal>
    </>
  )
}

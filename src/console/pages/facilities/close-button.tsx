import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Facility } from '../../../client/index.ts'
import { queryClient } from '../../../pages/data/query-client.ts'
import { GuardedButton } from '../../../pages/parts/forms.tsx'
import { ProblemAlert } from '../../../pages/parts/page.tsx'
import { service } from '../../data/console-api.ts'
import { facilityKey } from '../../data/lending.ts'

/** Cancels an application, or releases the lien of a loan without debt. */
export function CloseButton({ facility }: { facility: Facility }) {
  const [isOpen, setOpen] = useState(false)
  const close = useMutation({
    mutationFn: () => service.closeFacility(facility.id),
    onSuccess: () => {
      setOpen(false)
      return queryClient.invalidateQueries({ queryKey: facilityKey(facility.id) })
    },
  })
  if (facility.state !== 'PENDING' && facility.state !== 'APPROVED') return null
  const isPending = facility.state === 'PENDING'
  return (
    <>
      <GuardedButton scope="facility:write" variant="default" onClick={() => setOpen(true)}>
        {isPending ? 'Cancel the application' : 'Close the facility'}
      </GuardedButton>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={isPending ? 'Cancel the application' : 'Close the facility'}
      >
        <Stack>
          <Text size="sm">
            {isPending
              ? 'The application is cancelled. This cannot be undone.'
              : 'A facility without debt is closed, and the custodian releases the lien. This cannot be undone.'}
          </Text>
          <ProblemAlert error={close.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setOpen(false)}>
              Keep it
            </Button>
            <Button color="red" loading={close.isPending} onClick={() => close.mutate()}>
              {isPending ? 'Cancel it' : 'Close it'}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}

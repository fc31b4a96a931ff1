import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { queryClient } from '../../../pages/data/query-client.ts'
import { useSession } from '../../data/operator-api.ts'
import { ReasonDialog } from '../../parts/reason-dialog.tsx'

type ActButtonProps = {
  /** As the role has to allow it. */
  act: string
  /** The button, as a verb. */
  label: string
  title: string
  about: string
  /** Fields beside the reason. */
  children?: ReactNode
  run: (reason: string) => Promise<unknown>
  isCompact?: boolean
  /** In place of the form, once it is done. */
  result?: (answer: unknown) => ReactNode
}

/** One act of the operator API with its reason; absent where the role does not allow it. */
export function ActButton({ act, label, about, isCompact = false, ...form }: ActButtonProps) {
  const { acts } = useSession()
  const [isOpen, { open, close }] = useDisclosure()
  if (!acts.includes(act)) return null
  const { title, children, run, result } = form
  const runAndRefresh = async (reason: string) => {
    const answer = await run(reason)
    await queryClient.invalidateQueries()
    return answer
  }
  return (
    <>
      <Button size={isCompact ? 'xs' : 'sm'} variant="default" onClick={open}>
        {label}
      </Button>
      <ReasonDialog
        title={title}
        act={label}
        isOpen={isOpen}
        onClose={close}
        run={runAndRefresh}
        fields={children}
        {...(result && { result })}
      >
        {about}
      </ReasonDialog>
    </>
  )
}

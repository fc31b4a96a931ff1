import { Button, type ButtonProps, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { useCan } from '../../sign-in/session.ts'

type GuardedProps = Omit<ButtonProps, 'disabled'> & {
  scope: string
  /** Why the thing itself does not allow it now. */
  reason?: string | undefined
  title?: string
  type?: 'button' | 'submit'
  onClick?: () => void
  children: ReactNode
}

/** A button that writes: without the scope, or while there is a reason, it shows why not. */
export function GuardedButton({ scope, reason, type = 'button', onClick, ...props }: GuardedProps) {
  const can = useCan(scope)
  const refusal = can ? reason : `Your role does not include ${scope}.`
  if (refusal === undefined) return <Button size="xs" {...props} type={type} onClick={onClick} />
  return (
    <Tooltip label={refusal} multiline maw={280} openDelay={0}>
      <Button
        size="xs"
        {...props}
        type="button"
        data-disabled
        aria-disabled
        onClick={(event) => event.preventDefault()}
      />
    </Tooltip>
  )
}

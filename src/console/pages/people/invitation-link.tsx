import { Button } from '@mantine/core'
import { Code } from '../../parts/code.tsx'
import { Notice } from '../../parts/notice.tsx'
import classes from './people.module.css'

type LinkProps = { name: string; url: string; onClose: () => void }

export function InvitationLink({ name, url, onClose }: LinkProps) {
  return (
    <div className={classes.form}>
      <Notice tone="warn" title="Send this link yourself: it is shown once.">
        It is for {name} alone, works once, and for 24 hours.
      </Notice>
      <Code code={url} label="Invitation link" wrap />
      <div className={classes.buttons}>
        <Button onClick={onClose}>Done</Button>
      </div>
    </div>
  )
}

import { Button, Group, Stack } from '@mantine/core'
import { Code } from '../code.tsx'
import { Notice } from '../notice.tsx'

type ShownOnceProps = {
  title: string
  about: string
  value: string
  /** What it is, for screen readers. */
  label: string
  onClose: () => void
}

/** A secret that was just made, and is stored nowhere. */
export function ShownOnce({ title, about, value, label, onClose }: ShownOnceProps) {
  return (
    <Stack>
      <Notice tone="warn" title={title}>
        {about}
      </Notice>
      <Code code={value} label={label} wrap />
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  )
}

type LinkProps = { name: string; url: string; onClose: () => void }

export function InvitationLink({ name, url, onClose }: LinkProps) {
  return (
    <ShownOnce
      title="Send this link yourself: it is shown once."
      about={`It is for ${name} alone, works once, and for 24 hours.`}
      value={url}
      label="Invitation link"
      onClose={onClose}
    />
  )
}

import type { Icon } from '@tabler/icons-react'

export type NavigationEntry = {
  to: string
  label: string
  icon: Icon
  /** Left out for a person without this scope, or act. */
  scope?: string
  /** Left out on the live stack. */
  sandboxOnly?: true
}

export type NavigationGroup = { label?: string; entries: readonly NavigationEntry[] }

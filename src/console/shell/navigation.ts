import { type Icon, IconHome } from '@tabler/icons-react'

export type NavigationEntry = {
  to: string
  label: string
  icon: Icon
  /** Left out for a person without this scope. */
  scope?: string
  role?: 'admin'
  /** Left out on the live stack. */
  sandboxOnly?: true
}

export type NavigationGroup = { label?: string; entries: readonly NavigationEntry[] }

/** Every page that has a place in the menu, in order. */
export const NAVIGATION: readonly NavigationGroup[] = [
  { entries: [{ to: '/', label: 'Overview', icon: IconHome }] },
]

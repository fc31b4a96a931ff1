import { useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import classes from './frame.module.css'

const NEXT = { auto: 'light', light: 'dark', dark: 'auto' } as const
const SHOWN = {
  auto: { icon: IconDeviceDesktop, label: 'Colours: as the system' },
  light: { icon: IconSun, label: 'Colours: light' },
  dark: { icon: IconMoon, label: 'Colours: dark' },
} as const

export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { icon: Mark, label } = SHOWN[colorScheme]
  return (
    <button
      type="button"
      className={classes.plainButton}
      aria-label={label}
      title={label}
      onClick={() => setColorScheme(NEXT[colorScheme])}
    >
      <Mark size={18} stroke={1.7} aria-hidden />
    </button>
  )
}

import { Menu } from '@mantine/core'
import { IconFingerprint, IconLogout, IconLogout2, IconUserCircle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useApplication } from '../frame/application.ts'
import classes from '../frame/frame.module.css'
import { keepSession, usePersonSession } from './session.ts'

export function PersonMenu() {
  const { person } = usePersonSession()
  const { api } = useApplication()
  const navigate = useNavigate()
  const end = () => keepSession(null)
  const signOut = useMutation({ mutationFn: api.signOut, onSuccess: end })
  const signOutEverywhere = useMutation({
    mutationFn: api.signOutEverywhere,
    onSuccess: end,
  })
  return (
    <Menu position="bottom-end" width={240} withinPortal>
      <Menu.Target>
        <button
          type="button"
          className={classes.plainButton}
          aria-label={`Account of ${person.name}`}
        >
          <IconUserCircle size={20} stroke={1.7} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.person}>
          <strong>{person.name}</strong>
          <span>{person.email}</span>
          <span>{person.role}</span>
        </div>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconFingerprint size={16} aria-hidden />}
          onClick={() => void navigate({ to: '/passkeys' })}
        >
          Passkeys
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={16} aria-hidden />}
          onClick={() => signOut.mutate()}
        >
          Sign out
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout2 size={16} aria-hidden />}
          onClick={() => signOutEverywhere.mutate()}
        >
          Sign out everywhere
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { live } from '../../../pages/data/query-client.ts'
import { Loading, ProblemAlert } from '../../../pages/parts/page.tsx'
import { consoleApi, service } from '../../data/console-api.ts'
import classes from './overview.module.css'

type Step = { title: string; about: string; link: ReactNode; isDone: boolean }

export function useFirstSteps() {
  const keys = useQuery({ queryKey: live('keys'), queryFn: consoleApi.listKeys })
  const webhooks = useQuery({ queryKey: live('webhooks'), queryFn: () => service.listWebhooks() })
  const steps: readonly Step[] | undefined =
    keys.data && webhooks.data
      ? [
          {
            title: 'Make an API key',
            about: 'The pair is made in your browser. The private half is yours alone.',
            link: <Link to="/keys">Go to keys</Link>,
            isDone: keys.data.items.some((key) => key.revoked_at === null),
          },
          {
            title: 'Send a signed request',
            about: 'Examples in four languages, with your key’s id filled in.',
            link: <Link to="/keys">Go to keys</Link>,
            isDone: keys.data.items.some((key) => key.last_used_at !== null),
          },
          {
            title: 'Register a webhook',
            about: 'Events reach your endpoint signed, and are retried until it accepts them.',
            link: <Link to="/webhooks">Go to webhooks</Link>,
            isDone: webhooks.data.length > 0,
          },
        ]
      : undefined
  return { steps, error: keys.error ?? webhooks.error }
}

export function FirstSteps({ steps, error }: ReturnType<typeof useFirstSteps>) {
  if (error) return <ProblemAlert error={error} />
  if (steps === undefined) return <Loading lines={3} />
  return (
    <ol className={classes.steps}>
      {steps.map(({ title, about, link, isDone }) => (
        <li key={title} data-done={isDone || undefined}>
          {isDone ? (
            <IconCircleCheckFilled size={20} aria-label="Done" />
          ) : (
            <IconCircle size={20} aria-label="To do" />
          )}
          <div>
            <h3>{title}</h3>
            <p>{about}</p>
            {!isDone && link}
          </div>
        </li>
      ))}
    </ol>
  )
}

import { Loader, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Code } from '../../../pages/parts/code.tsx'
import { Notice, Panel } from '../../../pages/parts/page.tsx'
import { type ConsoleKey, consoleApi } from '../../data/console-api.ts'
import { EXAMPLES } from './examples.ts'
import classes from './keys.module.css'

export function FirstRequest({ of: key }: { of: ConsoleKey }) {
  const [language, setLanguage] = useState<string | null>('Shell')
  return (
    <Panel title={key.last_used_at ? 'A signed request' : 'Your first signed request'}>
      <div className={classes.examples}>
        <Arrival of={key} />
        <p className="quiet">
          Run one of these beside the file <span className="mono">{key.id}.pem</span>. It reads the
          contracts that your borrowers accept.
        </p>
        <Tabs value={language} onChange={setLanguage} keepMounted={false}>
          <Tabs.List>
            {EXAMPLES.map(({ name }) => (
              <Tabs.Tab key={name} value={name}>
                {name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {EXAMPLES.map(({ name, file, run, write }) => (
            <Tabs.Panel key={name} value={name} pt="sm">
              <p className="quiet">
                {file}, run by <span className="mono">{run}</span>
              </p>
              <Code
                code={write({ origin: location.origin, keyId: key.id })}
                label={`First request, ${name}`}
              />
            </Tabs.Panel>
          ))}
        </Tabs>
      </div>
    </Panel>
  )
}

/** Follows the request log until a request with this key is in it. */
function Arrival({ of: { id, last_used_at } }: { of: ConsoleKey }) {
  const [isNew] = useState(last_used_at === null)
  const requests = useQuery({
    queryKey: ['requests', 'of-key', id],
    queryFn: () => consoleApi.listRequests({ key_id: id, limit: 1 }),
    enabled: isNew,
    refetchInterval: ({ state }) => (state.data?.items.length ? false : 1_500),
  })
  const [first] = requests.data?.items ?? []
  if (!isNew) return null
  if (first === undefined) {
    return (
      <div className={classes.waiting} role="status">
        <Loader size="xs" />
        Waiting for your first request…
      </div>
    )
  }
  return (
    <Notice tone="good" title="Your first request arrived.">
      <Link to="/requests/$id" params={{ id: first.id }}>
        {first.method} {first.path}
      </Link>{' '}
      was answered {first.status}.
    </Notice>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { consoleApi } from '../../data/console-api.ts'
import { live } from '../../data/live-keys.ts'
import { useWebhooksWithState } from '../../data/webhooks.ts'
import classes from './overview.module.css'

/** Enough to know whether there are more. */
const COUNTED = 100
/** Of keys, not of this console. */
const SIGNED = '/v1/'
const HOUR_MS = 3_600_000
const REFETCH_MS = 5_000

const lastHour = () => new Date(Date.now() - HOUR_MS).toISOString()

export function Figures() {
  const refused = useQuery({
    queryKey: live('figures', 'refused'),
    queryFn: () =>
      consoleApi.listRequests({ path: SIGNED, status: '4xx', since: lastHour(), limit: COUNTED }),
    refetchInterval: REFETCH_MS,
  })
  const failed = useQuery({
    queryKey: live('figures', 'failed'),
    queryFn: () =>
      consoleApi.listRequests({ path: SIGNED, status: '5xx', since: lastHour(), limit: COUNTED }),
    refetchInterval: REFETCH_MS,
  })
  const dead = useQuery({
    queryKey: live('figures', 'dead'),
    queryFn: () => consoleApi.listDeliveries({ state: 'dead_lettered', limit: COUNTED }),
    refetchInterval: REFETCH_MS,
  })
  const pending = useQuery({
    queryKey: live('figures', 'pending'),
    queryFn: () => consoleApi.listDeliveries({ state: 'pending', limit: COUNTED }),
    refetchInterval: REFETCH_MS,
  })
  const { webhooks = [] } = useWebhooksWithState()
  const disabled = webhooks.filter(({ state }) => state === 'disabled').length
  return (
    <div className={classes.figures}>
      <Figure
        to="/requests"
        search={{ status: '4xx' }}
        label="Requests refused, last hour"
        value={count(refused.data)}
      />
      <Figure
        to="/requests"
        search={{ status: '5xx' }}
        label="Requests failed, last hour"
        value={count(failed.data)}
        isBad={isAny(failed.data)}
      />
      <Figure
        to="/deliveries"
        search={{ state: 'pending' }}
        label="Deliveries waiting"
        value={count(pending.data)}
      />
      <Figure
        to="/deliveries"
        search={{ state: 'dead_lettered' }}
        label="Dead letters"
        value={count(dead.data)}
        isBad={isAny(dead.data)}
      />
      <Figure
        to="/webhooks"
        label="Webhooks disabled"
        value={String(disabled)}
        isBad={disabled > 0}
      />
    </div>
  )
}

type Counted = { items: readonly unknown[]; has_more?: boolean }

const isAny = (page: Counted | undefined) => (page?.items.length ?? 0) > 0

const count = (page: Counted | undefined) =>
  page ? `${page.items.length}${page.has_more ? '+' : ''}` : '–'

type FigureProps = {
  to: '/requests' | '/deliveries' | '/webhooks'
  search?: Record<string, string>
  label: string
  value: string
  isBad?: boolean
}

/** Leads to what was counted. */
function Figure({ to, search = {}, label, value, isBad = false }: FigureProps) {
  return (
    <Link to={to} search={search} className={classes.figure} data-bad={isBad || undefined}>
      <span>{label}</span>
      <strong>{value}</strong>
    </Link>
  )
}

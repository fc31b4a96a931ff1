import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { live } from '../../../pages/data/query-client.ts'
import { consoleApi } from '../../data/console-api.ts'
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
  const disabled = useDisabled()
  return (
    <div className={classes.figures}>
      <Figure
        to="/requests"
        search={{ status: '4xx' }}
        label="Requests refused, last hour"
        value={show(refused, count)}
      />
      <Figure
        to="/requests"
        search={{ status: '5xx' }}
        label="Requests failed, last hour"
        value={show(failed, count)}
        isBad={isAny(failed.data)}
      />
      <Figure
        to="/deliveries"
        search={{ state: 'pending' }}
        label="Deliveries waiting"
        value={show(pending, count)}
      />
      <Figure
        to="/deliveries"
        search={{ state: 'dead_lettered' }}
        label="Dead letters"
        value={show(dead, count)}
        isBad={isAny(dead.data)}
      />
      <Figure
        to="/webhooks"
        label="Webhooks disabled"
        value={show(disabled, String)}
        isBad={disabled.data !== undefined && disabled.data > 0}
      />
    </div>
  )
}

/** Unknown until the state of each is. */
function useDisabled(): Read<number> {
  const { webhooks, error } = useWebhooksWithState()
  if (webhooks?.every(({ state }) => state !== undefined)) {
    return { data: webhooks.filter(({ state }) => state === 'disabled').length, error: null }
  }
  return { data: undefined, error: error ?? webhooks?.some(({ isUnread }) => isUnread) }
}

type Read<Data> = { data: Data | undefined; error: unknown }

/** A figure that is not there is never 0. What was read before is shown until it is read again. */
function show<Data>({ data, error }: Read<Data>, write: (data: Data) => string): string {
  if (data !== undefined) return write(data)
  return error ? 'Not read' : '…'
}

type Counted = { items: readonly unknown[]; has_more?: boolean }

const isAny = (page: Counted | undefined) => (page?.items.length ?? 0) > 0

const count = (page: Counted) => `${page.items.length}${page.has_more ? '+' : ''}`

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

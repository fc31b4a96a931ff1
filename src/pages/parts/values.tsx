import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { formatRatio } from '../data/figures.ts'
import { useApplication, usePageOfId } from '../frame/application.ts'
import classes from './parts.module.css'

/** A decimal string with its thousands apart, every digit kept. */
export function groupDigits(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** To the cent, below a dollar in full. Digits beyond are dropped. */
export function roundPrice(usd: string): string {
  return Number(usd) >= 1 ? usd.replace(/(\.\d{2})\d+$/, '$1') : usd
}

/** In a text: 1,234.56 USD. */
export const inUsd = (amount: string) => `${groupDigits(amount)} USD`

export function Money({ amount, asset = 'USD' }: { amount: string; asset?: string }) {
  return (
    <span className={classes.money}>
      {groupDigits(amount)} <span>{asset}</span>
    </span>
  )
}

const utcDay = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
const utcTime = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'UTC' })
const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' })

export const formatUtc = (at: string) => {
  const instant = new Date(at)
  return `${utcDay.format(instant)}, ${utcTime.format(instant)}`
}

/** UTC, with the local time on hover. `brief` leaves out "UTC" where a column's head names it. */
export function Time({ at, brief = false }: { at: string | null | undefined; brief?: boolean }) {
  if (!at) return <span className="quiet">–</span>
  return (
    <time
      dateTime={at}
      title={`${local.format(new Date(at))} (local)\n${at}`}
      className="figures time"
    >
      {formatUtc(at)}
      {brief ? '' : ' UTC'}
    </time>
  )
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

export function Ago({ at }: { at: string | null | undefined }) {
  if (!at) return <span className="quiet">never</span>
  const seconds = (new Date(at).getTime() - Date.now()) / 1_000
  if (Math.abs(seconds) < 60) {
    return (
      <time dateTime={at} title={`${formatUtc(at)} UTC`} className="time">
        {seconds > 0 ? 'in a minute' : 'in the last minute'}
      </time>
    )
  }
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['minute', 60]
  return (
    <time dateTime={at} title={`${formatUtc(at)} UTC`} className="time">
      {relative.format(Math.round(seconds / size), unit)}
    </time>
  )
}

export type Tone = 'good' | 'warn' | 'bad' | 'calm' | 'plain'

export function Status({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={classes.status} data-tone={tone}>
      {children}
    </span>
  )
}

/** A loan-to-value as a share; the exact figure on hover. */
export function Ratio({ ltv }: { ltv: string }) {
  return (
    <span className="figures unbroken" title={ltv}>
      {formatRatio(ltv)}
    </span>
  )
}

/** An identifier that copies. `children` is a link to its page. */
export function Id({ value, children }: { value: string; children?: ReactNode }) {
  return (
    <span className={classes.id}>
      <span className="mono">{children ?? value}</span>
      <CopyButton value={value} label={`Copy ${value}`} />
    </span>
  )
}

type ResourceProps = {
  value: string
  /** At the desk, whose it is. */
  tenantId?: string | null
}

/** Shows the name of the resource that has this id. The name links to its page, if it has one. */
export function ResourceId({ value, tenantId }: ResourceProps) {
  const to = usePageOfId()(value)
  const name = <Name value={value} {...(tenantId && { tenantId })} />
  return <Id value={value}>{to === undefined ? name : <Link to={to}>{name}</Link>}</Id>
}

/** The keys of the map are the requested strings: an id, or `ten_…/` and an id. */
export type ReadNames = (asked: readonly string[]) => Promise<ReadonlyMap<string, string>>

type Waiting = {
  asked: string
  resolve: (name: string | null) => void
  reject: (error: unknown) => void
}

/** The names that the rows of a list ask for within this time are read in one request. */
const GATHER_MS = 20
const AT_ONCE = 50

let waiting: Waiting[] = []

function readName(asked: string, read: ReadNames): Promise<string | null> {
  return new Promise((resolve, reject) => {
    if (waiting.length === 0) setTimeout(() => void readWaiting(read), GATHER_MS)
    waiting.push({ asked, resolve, reject })
  })
}

async function readWaiting(read: ReadNames): Promise<void> {
  const all = waiting
  waiting = []
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const some = all.slice(at, at + AT_ONCE)
    try {
      const names = await read(some.map(({ asked }) => asked))
      for (const { asked, resolve } of some) resolve(names.get(asked) ?? null)
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
  }
}

const HAS_NAME = /^(ten|bor|fac)_/

/** Returns the tenant's name for a resource, or a tenant's own name. Undefined if none exists or none is read yet. */
function useName(value: string, tenantId?: string): string | undefined {
  const { readNames } = useApplication()
  // A warning or a margin call is `fac_…/<number>`.
  const [id = '', number] = value.split('/')
  const asked = tenantId === undefined ? id : `${tenantId}/${id}`
  const { data } = useQuery({
    queryKey: ['names', asked],
    queryFn: () => readName(asked, readNames),
    staleTime: 60_000,
    enabled: HAS_NAME.test(id),
  })
  if (!data) return undefined
  return number === undefined ? data : `${data}/${number}`
}

/** fac_01m82pwk5ffk2t17kzz3d7gajp: fac_…d7gajp, so that a row is a line. */
export const shorten = (id: string) => id.replace(/^(.{4})[^/]*([^/]{6})(\/\d+)?$/, '$1…\u2060$2$3')

type NameProps = {
  value: string
  /** At the desk, whose borrower or facility it is. */
  tenantId?: string
  isShort?: boolean
}

/** Shows the tenant's name for the resource, or its id alone if it has no name. The title is the whole id. */
export function Name({ value, tenantId, isShort = false }: NameProps) {
  const name = useName(value, tenantId)
  if (name === undefined) return <span title={value}>{isShort ? shorten(value) : value}</span>
  return <span title={value}>{name}</span>
}

export function CopyButton({ value, label }: { value: string; label: string }) {
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isDone) return
    const timer = window.setTimeout(() => setDone(false), 1_500)
    return () => window.clearTimeout(timer)
  }, [isDone])
  return (
    <button
      type="button"
      className={classes.copy}
      aria-label={isDone ? 'Copied' : label}
      title={isDone ? 'Copied' : label}
      data-done={isDone || undefined}
      onClick={(event) => {
        event.preventDefault()
        event.stopPropagation()
        navigator.clipboard.writeText(value).then(
          () => setDone(true),
          () => undefined,
        )
      }}
    >
      {isDone ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
    </button>
  )
}

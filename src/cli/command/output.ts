import { formatJson, formatPairs, formatTable, harmless } from '../../command-line/text.ts'
import type { Refusal } from '../../core/errors.ts'
import { type Amount, formatAmount, formatDecimal, formatUsd } from '../../core/money.ts'
import type { CliIo } from './cli-io.ts'

export type Answer = {
  /** For programs, in the interface's member names. */
  data: object
  /** For people, if it is not the data: a text, or the part of the data to show. */
  shown?: string | object
  /** A check found a fault: the command exits with 1. */
  isFault?: boolean
  /** Printed after the answer, as the reason why the command failed. */
  refusal?: Refusal
}

export function printAnswer(io: CliIo, { json }: { json?: true }, answer: Answer): void {
  const { data, shown = data } = answer
  if (json) io.writeOut(formatJson(data))
  else io.writeOut(`${typeof shown === 'string' ? shown : formatAnswer(shown)}\n`)
}

/** With a link that signs someone in, which is stored nowhere. */
export function answerLink(data: object, shown: object, link: string): Answer {
  return {
    data: { ...data, invitation_url: link },
    shown: `${formatAnswer(shown)}\n\n${link}\nThis link is shown only now.`,
  }
}

/**
 * The members of a value of the domain by the interface's names: `createdAt` is `created_at`, `debtCents`
 * `debt_usd`, `ratePpm` `rate`; an amount is decimal text with its asset. Objects in it stay as they are: some
 * are what a provider answered.
 */
export function toMembers(value: object): Record<string, unknown> {
  const given = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(given.map(([name, member]) => toMember(name, member)))
}

function toMember(name: string, value: unknown): [string, unknown] {
  const member = name.replace(
    /([a-z0-9])([A-Z])/g,
    (_, end, start) => `${end}_${start.toLowerCase()}`,
  )
  if (name.endsWith('Cents')) {
    return [member.replace(/_cents$/, '_usd'), typeof value === 'bigint' ? formatUsd(value) : value]
  }
  if (name.endsWith('Ppm')) {
    const isPpm = typeof value === 'bigint' || typeof value === 'number'
    return [member.replace(/_ppm$/, ''), isPpm ? formatDecimal(BigInt(value), 6) : value]
  }
  if (typeof value === 'bigint') return [member, String(value)]
  return [member, isAmount(value) ? formatAmount(value) : value]
}

const isAmount = (value: unknown): value is Amount =>
  isMembers(value) && 'asset' in value && 'units' in value && typeof value.units === 'bigint'

/** For people: members that hold one value as lines, lists of items as tables behind them. */
export function formatAnswer(data: object): string {
  const lines: [string, string][] = []
  const tables: string[] = []
  const add = (value: object, path: readonly string[]) => {
    for (const [name, member] of Object.entries(value)) {
      const title = [...path, name].join('_')
      if (isTable(member)) tables.push(`${nameColumn(title)}\n${formatFirst(member)}`)
      else if (isMembers(member)) add(member, [...path, name])
      else lines.push([toWords(title), showCell(member)])
    }
  }
  add(data, [])
  return [...(lines.length === 0 ? [] : [formatPairs(lines)]), ...tables].join('\n\n')
}

/** The rows of a table in an answer that people are shown. */
const MOST_SHOWN = 20

/** The first of these items, and how many more there are. */
export function formatFirst(items: readonly object[], columns?: readonly string[]): string {
  const table = formatItems(items.slice(0, MOST_SHOWN), columns)
  const more = items.length - MOST_SHOWN
  return more > 0 ? `${table}\n${more} more: --json prints all.` : table
}

/** A table of these columns, by default of all members; `warning.tier` is a member of a member. A column of
 * external ids that has none is left out. */
export function formatItems(
  items: readonly object[],
  columns: readonly string[] = membersOf(items),
): string {
  const cellOf = (item: object, path: string) =>
    showCell(path.split('.').reduce<unknown>(memberOf, item))
  const shown = columns.filter(
    (name) => name !== 'external_id' || items.some((item) => cellOf(item, name) !== NOTHING),
  )
  const rows = items.map((item) => shown.map((name) => cellOf(item, name)))
  return formatTable([shown.map(nameColumn), ...rows])
}

const memberOf = (value: unknown, name: string) =>
  (value as Record<string, unknown> | null | undefined)?.[name]

const membersOf = (items: readonly object[]) => [...new Set(items.flatMap(Object.keys))]

/** `tenant_id` is TENANT, `created_at` CREATED. */
const nameColumn = (name: string) =>
  toWords(name.replace(/(?<!external)_(id|at)$/, '')).toUpperCase()

const toWords = (name: string) => name.replaceAll(/[_.]/g, ' ')

const NOTHING = '-'

/** The values of an object, or of a list, stand one after another: `5.00 USD`. */
function showCell(value: unknown): string {
  if (value === undefined || value === null) return NOTHING
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(showCell).join(', ') || NOTHING
  if (isMembers(value)) return Object.values(value).map(showCell).join(' ')
  return harmless(String(value)) || NOTHING
}

const isMembers = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !Array.isArray(value)

const isTable = (value: unknown): value is object[] =>
  Array.isArray(value) && value.length > 0 && value.every(isMembers)

import { formatLine } from '../../pages/data/figures.ts'

export type State = Readonly<Record<string, unknown>> | null

/** How a value is drawn: an amount in dollars, an instant, or as it is. */
export type Value = { as: 'usd' | 'instant' | 'text'; text: string }

/** A term in the desk's words, with what it was and what it becomes; null: it was or is not there. */
export type Change = { term: string; from: Value | null; to: Value | null; isSame: boolean }

/** Terms of the margin policy, as its own page names them. */
const TERMS: Readonly<Record<string, string>> = {
  floor_ltv: 'Warned above an LTV of',
  critical_ltv: 'Critical above',
  cure_ltv: 'Cured at or below',
  target_ltv: 'Sold down to',
  above_ltv: 'above',
  cure_hours: 'hours to cure',
  sale_fee: 'Planned fee of a sale',
  deep_ltv: 'Whole debt sold off from',
  dust_usd: 'Or if less would be left',
  least_usd: 'Not warned below',
  confirm_seconds: 'A price must hold, seconds',
  relapse_hours: 'Relapse within, hours',
  relapse_least_hours: 'Least time after a relapse, hours',
  tiers: 'Tier',
  haircuts: 'Haircut',
  rate: 'Annual rate',
  max_limit_usd: 'Maximum limit',
  allowed: 'May borrow',
  effective_from: 'In force from',
  effective_at: 'Takes effect',
  with_notice: 'Stricter, with notice',
  without_notice: 'Nowhere stricter, immediately',
  left_out: 'Left out',
}

const RATIOS = new Set(['rate', 'sale_fee', 'haircuts'])

/** Seen by itself, as the effect on the book. */
const NOT_HERE = new Set(['preview'])

const MOST_NAMED = 5

type Recorded = { action: string; before: State; after: State }

/** Returns what of the record is a change. An amendment names what it changes: a version or rate that is null
 * stays as it was. What a correction records before it is no part of it: its preview shows what changes. */
export function changeOf({ action, before, after }: Recorded): Pick<Recorded, 'before' | 'after'> {
  if (action === 'facilities.correct') return { before: null, after }
  if (action === 'facilities.release') return { before: { ...before, on_hold: true }, after }
  if (action !== 'facilities.amend' || !before || !after) return { before, after }
  const named = Object.entries(after).filter(([, value]) => value !== null)
  const { version, rate } = before
  return { before, after: { version, rate, ...Object.fromEntries(named) } }
}

/** Every term of either state, in the order of the later one; equal ones too. */
export function listChanges(before: State, after: State): Change[] {
  const [from, to] = [listTerms(before), listTerms(after)]
  return [...new Set([...to.keys(), ...from.keys()])].map((term) => ({
    term,
    from: from.get(term) ?? null,
    to: to.get(term) ?? null,
    isSame: from.get(term)?.text === to.get(term)?.text,
  }))
}

function listTerms(state: State): Map<string, Value> {
  const terms = new Map<string, Value>()
  for (const [name, value] of Object.entries(state ?? {})) {
    if (!NOT_HERE.has(name)) addTerm(terms, nameTerm(name), name, value)
  }
  return terms
}

function addTerm(terms: Map<string, Value>, term: string, name: string, value: unknown): void {
  if (Array.isArray(value) && value.some(isObject)) {
    for (const [at, part] of value.entries()) addTerm(terms, `${term} ${at + 1}`, name, part)
  } else if (isDollars(value)) {
    terms.set(term, { as: 'usd', text: value.amount })
  } else if (isObject(value)) {
    for (const [part, inner] of Object.entries(value)) {
      const known = TERMS[part] ?? part.replaceAll('_', ' ')
      addTerm(terms, `${term} ${known}`, part in TERMS || part.includes('_') ? part : name, inner)
    }
  } else if (value !== null && value !== undefined && value !== '')
    terms.set(term, describe(name, value))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isDollars(value: unknown): value is { amount: string; asset: 'USD' } {
  if (!isObject(value)) return false
  const { amount, asset } = value
  return typeof amount === 'string' && asset === 'USD'
}

function nameTerm(name: string): string {
  const known = TERMS[name]
  if (known !== undefined) return known
  const words = name.replace(/_usd$/, '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function describe(name: string, value: unknown): Value {
  const as = (text: string): Value => ({ as: 'text', text })
  if (typeof value === 'boolean') return as(value ? 'yes' : 'no')
  if (Array.isArray(value)) return as(describeList(value.map(String)))
  const text = String(value)
  if (name.endsWith('_usd')) return { as: 'usd', text }
  if (RATIOS.has(name) || name.endsWith('_ltv')) return as(formatLine(text))
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? { as: 'instant', text } : as(text)
}

function describeList(items: readonly string[]): string {
  if (items.length === 0) return 'none'
  const more = items.length - MOST_NAMED
  return more > 0 ? `${items.slice(0, MOST_NAMED).join(', ')} and ${more} more` : items.join(', ')
}

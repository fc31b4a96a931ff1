import { useQuery } from '@tanstack/react-query'
import { useApplication } from '../frame/application.ts'

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

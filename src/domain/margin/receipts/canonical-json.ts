export type PlainJson =
  | string
  | number
  | boolean
  | readonly PlainJson[]
  | { readonly [name: string]: PlainJson | undefined }

/** The form of RFC 8785, of values whose numbers are whole. Members that are undefined are left out. */
export function canonicalJson(value: PlainJson): string {
  if (typeof value !== 'object') return JSON.stringify(value)
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [[name, member] as const],
  )
  // RFC 8785 orders members by UTF-16 code units.
  members.sort(([a], [b]) => (a < b ? -1 : 1))
  const texts = members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
  return `{${texts.join(',')}}`
}

const isList = (value: PlainJson): value is readonly PlainJson[] => Array.isArray(value)

import { useName } from '../data/names.ts'

/** fac_01m82pwk5ffk2t17kzz3d7gajp: fac_…d7gajp, so that a row is a line. */
export const shorten = (id: string) => id.replace(/^(.{4})[^/]*(.{6})(\/\d+)?$/, '$1…\u2060$2$3')

type NameProps = {
  value: string
  /** At the desk, whose borrower or facility it is. */
  tenantId?: string
  isShort?: boolean
}

/** What the tenant calls it, with the end of its id; the id alone where it has no name. */
export function Name({ value, tenantId, isShort = false }: NameProps) {
  const name = useName(value, tenantId)
  if (name === undefined) return <span title={value}>{isShort ? shorten(value) : value}</span>
  return <span title={value}>{name}</span>
}

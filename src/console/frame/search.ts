/** Filters live in the address, as plain text. */
export type Search = Record<string, string>

/** For a router: each filter is a parameter, and an empty one is left out. */
export const plainSearch = {
  parseSearch: (text: string): Search => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search: Record<string, unknown>): string => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
    return text === '' ? '' : `?${text}`
  },
}

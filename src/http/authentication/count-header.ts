import type { IncomingMessage } from 'node:http'

/** How often a request carries a header, given in lower case, where Node shows one value for all. */
export function countHeader({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at]
    if (given?.length === name.length && given.toLowerCase() === name) count += 1
  }
  return count
}

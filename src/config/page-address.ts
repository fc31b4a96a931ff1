/** The token is in the fragment, which browsers send nowhere and no log has. */
export function consoleLink(publicUrl: string, token: string): string {
  return `${pageAddress(publicUrl).origin}/console/#token=${token}`
}

export function deskLink(deskUrl: string, token: string): string {
  return `${pageAddress(deskUrl).origin}/desk/#token=${token}`
}

/** Where a browser finds the desk without DESK_URL: through a tunnel to the internal port. */
export function localDeskUrl(metricsPort: number): string {
  return `http://localhost:${metricsPort}`
}

/** `Host` headers of requests that are for the pages of an origin. This machine has three names. */
export function hostsOf(origin: string): readonly string[] {
  const { protocol, hostname, port } = new URL(origin)
  const names = hostname === 'localhost' ? [hostname, '127.0.0.1', '[::1]'] : [hostname]
  const standard = protocol === 'https:' ? '443' : '80'
  return names.flatMap((name) =>
    port === '' ? [name, `${name}:${standard}`] : [`${name}:${port}`],
  )
}

/** Where people open pages. Browsers know no passkeys under an IP address, so this machine's
 * becomes localhost. */
export function pageAddress(url: string): URL {
  const address = new URL(url)
  if (/^(127\.[\d.]+|\[::1\])$/.test(address.hostname)) address.hostname = 'localhost'
  return address
}

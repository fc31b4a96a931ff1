/** The token is in the fragment, which browsers send nowhere and no log has. */
export function consoleLink(publicUrl: string, token: string): string {
  return `${consoleAddress(publicUrl).origin}/console/#token=${token}`
}

/** `Host` headers of requests that are for the console. This machine has three names. */
export function consoleHosts(origin: string): readonly string[] {
  const { protocol, hostname, port } = new URL(origin)
  const names = hostname === 'localhost' ? [hostname, '127.0.0.1', '[::1]'] : [hostname]
  const standard = protocol === 'https:' ? '443' : '80'
  return names.flatMap((name) =>
    port === '' ? [name, `${name}:${standard}`] : [`${name}:${port}`],
  )
}

/** Where people open the console. Browsers know no passkeys under an IP address, so this machine's
 * becomes localhost. */
export function consoleAddress(publicUrl: string): URL {
  const url = new URL(publicUrl)
  if (/^(127\.[\d.]+|\[::1\])$/.test(url.hostname)) url.hostname = 'localhost'
  return url
}

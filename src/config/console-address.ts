/** The token is in the fragment, which browsers send nowhere and no log has. */
export function consoleLink(publicUrl: string, token: string): string {
  return `${consoleAddress(publicUrl).origin}/console/#token=${token}`
}

/** Where people open the console. Browsers know no passkeys under an IP address, so this machine's
 * becomes localhost. */
export function consoleAddress(publicUrl: string): URL {
  const url = new URL(publicUrl)
  if (/^(127\.[\d.]+|\[::1\])$/.test(url.hostname)) url.hostname = 'localhost'
  return url
}

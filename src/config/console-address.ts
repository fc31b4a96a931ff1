/** Where people open the console. Browsers know no passkeys under an IP address, so this machine's
 * becomes localhost. */
export function consoleAddress(publicUrl: string): URL {
  const url = new URL(publicUrl)
  if (/^(127\.[\d.]+|\[::1\])$/.test(url.hostname)) url.hostname = 'localhost'
  return url
}

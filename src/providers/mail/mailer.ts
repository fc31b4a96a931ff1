import type { Transporter } from 'nodemailer'
import type { SendMail } from '../../domain/mails/send-to-person.ts'
import { type OutboundProxy, proxyFor } from '../outbound/outbound-proxy.ts'

export type MailSettings = {
  /** smtp://user:password@host:587 or smtps://… */
  url: string
  from: string
  /** HTTPS_PROXY: the mail server is reached through CONNECT. */
  proxy?: OutboundProxy | undefined
}

export type Mailer = { send: SendMail; close(): Promise<void> }

const TIMEOUT_MS = 10_000

/** A connection a mail: few are sent. */
export function createMailer({ url, from, proxy: outbound }: MailSettings): Mailer {
  const { hostname, protocol, port } = new URL(url)
  const mailPort = Number(port) || (protocol === 'smtps:' ? 465 : 587)
  const proxy = proxyFor({ host: hostname, port: mailPort }, outbound)
  const isThisMachine = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  const createTransport = async () => {
    // With the first mail, because it takes some 25 MiB and few processes send one.
    const nodemailer = await import('nodemailer')
    return nodemailer.createTransport({
      url,
      // The proxy is asked for a port, which nodemailer does not fill in.
      ...(proxy !== undefined && { proxy, port: mailPort }),
      // Passwords and links cross no network in the clear.
      requireTLS: protocol === 'smtp:' && !isThisMachine,
      // A server name has no trailing dot (RFC 6066, 3).
      ...(hostname.endsWith('.') && { tls: { servername: hostname.slice(0, -1) } }),
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
  let transport: Promise<Transporter> | undefined
  return {
    async send({ to, messageId, ...mail }) {
      transport ??= createTransport()
      // As an object: a text would be read as a list of addresses.
      const address = { name: '', address: to }
      await (await transport).sendMail({ ...mail, from, to: address, messageId: `<${messageId}>` })
    },
    async close() {
      ;(await transport)?.close()
    },
  }
}

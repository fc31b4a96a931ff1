import type { Transporter } from 'nodemailer'
import type { SendMail } from '../../domain/mails/send-to-person.ts'

export type MailSettings = {
  /** smtp://user:password@host:587 or smtps://… */
  url: string
  from: string
}

export type Mailer = { send: SendMail; close(): Promise<void> }

const TIMEOUT_MS = 10_000

/** A connection a mail: few are sent. */
export function createMailer({ url, from }: MailSettings): Mailer {
  const { hostname, protocol } = new URL(url)
  const isThisMachine = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  const createTransport = async () => {
    // With the first mail, because it takes some 25 MiB and few processes send one.
    const nodemailer = await import('nodemailer')
    return nodemailer.createTransport({
      url,
      // Passwords and links cross no network in the clear.
      requireTLS: protocol === 'smtp:' && !isThisMachine,
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

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export type MailServer = AsyncDisposable & {
  /** With a user and a password, which it asks for. */
  url: string
  /** Each mail in the order of arrival, its long lines as they were. */
  mails: { to: string[]; source: string }[]
  /** How many mails it refuses from now on, as one that is busy. */
  refuse(count: number): void
}

const USER = { username: 'lending', password: 'a password' }

/** A mail server on this machine. */
export async function startMailServer(): Promise<MailServer> {
  const mails: MailServer['mails'] = []
  let left = 0
  const server = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth({ username, password }, _session, done) {
      const isKnown = username === USER.username && password === USER.password
      done(isKnown ? null : new Error('unknown user'), { user: username ?? '' })
    },
    async onData(stream, { envelope }, done) {
      const source = unfold(await text(stream))
      if (left > 0) {
        left -= 1
        done(Object.assign(new Error('try again later'), { responseCode: 451 }))
        return
      }
      mails.push({ to: envelope.rcptTo.map(({ address }) => address), source })
      done()
    },
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const password = encodeURIComponent(USER.password)
  return {
    url: `smtp://${USER.username}:${password}@127.0.0.1:${port}`,
    mails,
    refuse(count) {
      left = count
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** Headers are folded, and lines of quoted-printable text are cut. */
const unfold = (source: string) => source.replace(/=\r\n/g, '').replace(/\r\n[ \t]+/g, ' ')

import type { Command } from 'commander'
import { ProblemError } from '../../client/problem-error.ts'
import { type CommonOptions, defineCommand, openSession, readWhole } from '../define-command.ts'
import type { SvcIo } from '../svc-io.ts'
import { dim } from '../terminal.ts'
import { isThisMachine } from '../webhooks.ts'
import { followLog } from './follow-log.ts'
import { checkTarget } from './forward.ts'
import { receiveDeliveries } from './receive-deliveries.ts'

export type ListenOptions = CommonOptions & {
  forward?: string
  events?: string[]
  publicUrl?: string
  port?: number
  secret?: string
  newSecret?: true
  follow?: true
  from?: string
}

const ABOUT = `
If the service can reach this machine (locally or by --public-url), this command registers a webhook,
verifies and forwards each delivery unchanged, and passes on your receiver's answer; at the end it
deletes the webhook. Otherwise, or with --follow, it reads the event log and posts signed events.
Ends with Ctrl-C.`

export function addListenCommand(program: Command, io: SvcIo): void {
  defineCommand(program, 'listen', 'print events as they happen, and forward them', [
    'listen --forward http://localhost:4000/webhooks',
    'listen --events margin_warning.raised margin_call.started',
    'listen --follow --forward http://localhost:4000/webhooks --secret whsec_…',
  ])
    .addHelpText('after', ABOUT)
    .option('--forward <url>', 'your receiver')
    .option('--events <types...>', 'only these')
    .option('--secret <whsec>', 'your signing secret (SVC_WEBHOOK_SECRET)')
    .option('--new-secret', 'replace the signing secret, at once and for every receiver')
    .option('--public-url <url>', 'where the service reaches this machine, such as a tunnel')
    .option('--port <number>', 'of this machine, for --public-url', readWhole('--port'))
    .option('--follow', 'read the log rather than register a webhook')
    .option('--from <cursor>', 'read the log from here, not from now on')
    .action(async (options: ListenOptions) => {
      const session = openSession(io, options)
      if (options.forward !== undefined) checkTarget(options.forward)
      const { baseUrl } = session.credentials
      const isReached = options.publicUrl !== undefined || isThisMachine(baseUrl)
      const wantsLog = options.follow === true || options.from !== undefined || !isReached
      try {
        if (!wantsLog) return await receiveDeliveries(session, options)
      } catch (error) {
        if (!(error instanceof ProblemError && error.is('url_not_allowed'))) throw error
        const note = `The service may not post here: ${error.detail}`
        session.output.line({ data: { note }, text: dim(note) })
      }
      await followLog(session, options)
    })
}

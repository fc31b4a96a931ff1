import type { Command } from 'commander'
import type { NewNotice } from '../../client/resources/resources.ts'
import { type CommonOptions, defineCommand, runCommand } from '../define-command.ts'
import { formatFields } from '../output.ts'
import { SvcError } from '../svc-error.ts'
import type { SvcIo } from '../svc-io.ts'

const CHANNELS = ['email', 'sms', 'push', 'letter', 'call'] as const

type NoticeOptions = { event: string; channel: string; sentAt?: string; reference?: string }

export function addEvidenceCommands(group: Command, io: SvcIo): void {
  defineCommand(
    group,
    'notice <facility_id> <warning>',
    'report that the borrower was told of a raise; nothing is sent',
    ['facility notice fac_… 1 --event evt_… --channel email --reference mail-4711'],
  )
    .requiredOption('--event <id>', 'of the margin_warning.raised')
    .requiredOption('--channel <channel>', CHANNELS.join(', '))
    .option('--sent-at <time>', 'UTC, such as 2026-11-20T12:01:30Z; now where none is given')
    .option('--reference <text>', 'yours, such as the id of the message')
    .action((id: string, warning: string, options: CommonOptions & NoticeOptions) =>
      runCommand(io, options, async ({ client }) => {
        const { event, reference } = options
        const notice: NewNotice = {
          event_id: event,
          channel: readChannel(options.channel),
          sent_at: options.sentAt ?? new Date().toISOString(),
          ...(reference !== undefined && { reference }),
        }
        const reported = await client.reportNotice(id, Number(warning), notice)
        return { data: reported, text: formatFields(reported) }
      }),
    )
}

function readChannel(text: string): NewNotice['channel'] {
  const known = CHANNELS.find((it) => it === text)
  if (known) return known
  throw new SvcError('usage', `A channel is ${CHANNELS.join(', ')}: not "${text}".`)
}

import { readFileSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { describeReceipt } from '../../client/receipts/describe-receipt.ts'
import type { ReceiptKeys } from '../../client/receipts/receipt.ts'
import { verifyReceipt } from '../../client/receipts/verify-receipt.ts'
import type { NewNotice } from '../../client/resources/resources.ts'
import { EXIT } from '../../command-line/program.ts'
import { type CommonOptions, defineCommand, runCommand } from '../define-command.ts'
import { createOutput, formatFields } from '../output.ts'
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

/** A receipt is verified without credentials, and without the service. */
export function addReceiptCommands(program: Command, io: SvcIo): void {
  const group = program.command('receipts').description('signed receipts of sales of collateral')
  defineCommand(group, 'save <facility_id> <call> <file>', 'save the receipt of a sale', [
    'receipts save fac_… 1 receipt.json',
  ]).action((id: string, call: string, file: string, options: CommonOptions) =>
    runCommand(io, options, async ({ client }) => {
      writeFileSync(file, await client.getReceipt(id, Number(call)))
      return { data: { file }, text: `Saved as ${file}. Keep its bytes as they are.` }
    }),
  )

  defineCommand(group, 'verify <file>', 'recompute a sale from its receipt, to the cent; offline', [
    'receipts verify receipt.json',
    'receipts verify receipt.json --keys receipt-keys.json',
  ])
    .option('--keys <file>', 'a copy of /.well-known/receipt-keys.json: whose signature it is')
    .action(async (file: string, options: CommonOptions & { keys?: string }) => {
      const keys = options.keys === undefined ? undefined : readKeys(options.keys)
      const verdict = await verifyReceipt(readGiven(file), keys)
      if (!verdict.ok) throw new SvcError('receipt_wrong', verdict.faults.join('\n'), EXIT.refused)
      const { receipt, keyId } = verdict
      const sentences = describeReceipt(receipt)
      const by = keys ? `${keyId}, which the lender has published` : keyId
      createOutput(io, options).report({
        data: { ok: true, key_id: keyId, is_published: keys !== undefined, sentences },
        text: [`Right to the cent. Signed by ${by}.`, ...sentences].join('\n\n'),
      })
    })
}

function readGiven(file: string): Uint8Array {
  try {
    return readFileSync(file)
  } catch {
    throw new SvcError('usage', `The file ${file} cannot be read.`)
  }
}

function readKeys(file: string): ReceiptKeys {
  try {
    const keys = JSON.parse(Buffer.from(readGiven(file)).toString('utf8')) as ReceiptKeys
    if (Array.isArray(keys.keys)) return keys
  } catch (error) {
    if (error instanceof SvcError) throw error
  }
  throw new SvcError('usage', `The file ${file} is no list of receipt keys.`)
}

function readChannel(text: string): NewNotice['channel'] {
  const known = CHANNELS.find((it) => it === text)
  if (known) return known
  throw new SvcError('usage', `A channel is ${CHANNELS.join(', ')}: not "${text}".`)
}

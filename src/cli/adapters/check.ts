import { Argument, type Command, InvalidArgumentError } from 'commander'
import { FaultReported } from '../../command-line/program.ts'
import { harmless } from '../../command-line/text.ts'
import { vendorUrl } from '../../config/providers.ts'
import {
  CHECKED_PROVIDERS,
  type CheckStep,
  checkProvider,
  describeCheck,
  type ProviderCheck,
  VENDOR_NAMES,
} from '../../process/check-provider.ts'
import type { CliIo } from '../command/cli-io.ts'
import { offerYes, requireYes, type Yes } from '../command/confirm.ts'
import { type CommonOptions, defineCommand, printReport } from '../command/define-command.ts'
import { readWholeNumber } from '../command/options.ts'

type Options = CommonOptions & Yes & { callbacks?: number; wait: number }

export function addProviderCommands(program: Command, io: CliIo): void {
  const group = program.command('providers').description("Vendors' adapters.")
  const command = defineCommand(
    group,
    'check',
    "Play every call of the providers' contract against an adapter, and print what it does right and wrong. First prints what it will do, and asks. Takes PAYMENTS_TOKEN and PAYMENTS_SIGNING_SECRET (CUSTODIAN_…, KYC_…) as a live stack does, from the environment or from files. Exits with code 1 when anything is wrong.",
    [
      'providers check payments https://adapter.example.com/payments',
      'providers check custodian http://localhost:9400 --callbacks 9401 --yes',
    ],
  )
    .addArgument(new Argument('<provider>', 'whose contract').choices(CHECKED_PROVIDERS))
    .argument('<url>', 'where the adapter answers, as in PAYMENTS_URL', readAddress)
    .option(
      '--callbacks <port>',
      'listen here for callbacks, signed by PAYMENTS_CALLBACK_SECRETS',
      readWholeNumber(1, 65_535),
    )
    .option(
      '--wait <seconds>',
      'how long an answer may be pending, and a callback may take',
      readWholeNumber(1, 3_600),
      60,
    )
  type Provider = ProviderCheck['provider']
  offerYes(command).action(async (provider: Provider, url: string, options: Options) => {
    const { callbacks: port, wait: waitSeconds, json } = options
    const plan = describeCheck({ provider, url, port })
    if (!json) io.writeError(`${plan}\n`)
    await requireYes(io, options, json ? plan : 'It makes these calls now.')
    const secrets = io.loadVendorSecrets(VENDOR_NAMES[provider])
    const onStep = (step: CheckStep) => {
      if (io.showsProgress) io.writeError(`${nameOf(step)}\n`)
    }
    const asked = { provider, url, secrets, port, waitSeconds, clock: io.clock, onStep }
    const steps = await checkProvider(asked)
    const count = (result: CheckStep['result']) =>
      steps.filter((step) => step.result === result).length
    const counts = { right: count('right'), wrong: count('wrong'), not_shown: count('not_shown') }
    printReport(io, options, {
      data: { provider, url, ...counts, steps },
      text: [
        ...steps.map(formatStep),
        `${counts.right} right, ${counts.wrong} wrong, ${counts.not_shown} not shown.`,
      ].join('\n'),
    })
    if (counts.wrong > 0) throw new FaultReported()
  })
}

const INDENT = 'not shown  '.length

const nameOf = ({ result, call, step }: CheckStep) =>
  `${result.replace('_', ' ').padEnd(INDENT)}${call}, ${step}`

function formatStep(step: CheckStep): string {
  const line = `${nameOf(step)}: ${harmless(step.found)}`
  if (step.contract === undefined) return line
  return `${line}\n${' '.repeat(INDENT)}The contract: ${step.contract}`
}

function readAddress(text: string): string {
  const { success, data } = vendorUrl.safeParse(text)
  if (success) return data
  throw new InvalidArgumentError('Expected an http:// or https:// address without a query.')
}

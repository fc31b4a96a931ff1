import { InvalidArgumentError } from 'commander'
import { harmless } from '../../command-line/text.ts'
import { vendorUrl } from '../../config/providers.ts'
import {
  CHECKED_PROVIDERS,
  type CheckStep,
  checkProvider,
  describeCheck,
  VENDOR_NAMES,
} from '../../process/check-provider.ts'
import { type CliCommand, command } from '../command/commands.ts'
import { requireYes } from '../command/confirm.ts'
import { YES } from '../command/members.ts'
import { readWholeNumber } from '../command/options.ts'
import { counting, optional, required } from '../command/parameters.ts'

export const PROVIDER_COMMANDS: CliCommand[] = [
  command({
    name: 'providers check',
    about:
      "Play every call of the providers' contract against an adapter, and print what it does right and wrong. First prints what it will do, and asks. Takes PAYMENTS_TOKEN and PAYMENTS_SIGNING_SECRET (CUSTODIAN_…, KYC_…) as a live stack does, from the environment or from files. Exits with code 1 when anything is wrong.",
    examples: [
      'providers check payments https://adapter.example.com/payments',
      'providers check custodian http://localhost:9400 --callbacks 9401 --yes',
    ],
    takes: {
      provider: required('<provider>', 'whose contract', CHECKED_PROVIDERS),
      url: required('<url>', 'where the adapter answers, as in PAYMENTS_URL', readAddress),
      port: optional(
        '--callbacks <port>',
        'listen here for callbacks, signed by PAYMENTS_CALLBACK_SECRETS',
        readWholeNumber(1, 65_535),
      ),
      waitSeconds: counting(
        '--wait <seconds>',
        'how long an answer may be pending, and a callback may take',
        [1, 3_600],
        60,
      ),
      yes: YES,
    },
    async run(io, { provider, url, port, waitSeconds, yes, json }) {
      const plan = describeCheck({ provider, url, port })
      if (!json) io.writeError(`${plan}\n`)
      await requireYes(io, { yes }, json ? plan : 'It makes these calls now.')
      const secrets = io.loadVendorSecrets(VENDOR_NAMES[provider])
      const onStep = (step: CheckStep) => {
        if (io.showsProgress) io.writeError(`${nameOf(step)}\n`)
      }
      const asked = { provider, url, secrets, port, waitSeconds, clock: io.clock, onStep }
      const steps = await checkProvider(asked)
      const count = (result: CheckStep['result']) =>
        steps.filter((step) => step.result === result).length
      const counts = { right: count('right'), wrong: count('wrong'), not_shown: count('not_shown') }
      return {
        data: { provider, url, ...counts, steps },
        shown: [
          ...steps.map(formatStep),
          `${counts.right} right, ${counts.wrong} wrong, ${counts.not_shown} not shown.`,
        ].join('\n'),
        isFault: counts.wrong > 0,
      }
    },
  }),
]

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

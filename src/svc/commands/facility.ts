import type { Command } from 'commander'
import type { Facility } from '../../client/resources/resources.ts'
import type { Report } from '../../command-line/text.ts'
import { collect } from '../collect.ts'
import { type CommonOptions, defineCommand, readWhole, runCommand } from '../define-command.ts'
import { formatFields, reportList } from '../output.ts'
import { SvcError } from '../svc-error.ts'
import type { SvcIo } from '../svc-io.ts'
import { addEvidenceCommands } from './facility-evidence.ts'
import { addForesightCommands } from './facility-foresight.ts'
import { drawMoney, readMargin, repay } from './facility-money.ts'
import { addStatementCommands } from './facility-statement.ts'

const STATES = ['PENDING', 'APPROVED', 'DECLINED', 'CLOSING', 'CLOSED'] as const

export function addFacilityCommands(program: Command, io: SvcIo): void {
  const group = program.command('facility').description('facilities, their money and their margin')
  addApplying(group, io)
  addReading(group, io)
  addMoving(group, io)
  addStatementCommands(group, io)
  addForesightCommands(group, io)
  addEvidenceCommands(group, io)
}

type NewFacilityOptions = { custodyAccount?: string; externalId?: string }

function addApplying(group: Command, io: SvcIo): void {
  defineCommand(group, 'create <borrower_id> <limit_usd>', 'apply for a facility', [
    'facility create bor_… 40000.00',
  ])
    .option('--custody-account <id>', 'required on the live stack')
    .option('--external-id <text>', 'your own id of the facility')
    .action((borrowerId: string, limit: string, options: CommonOptions & NewFacilityOptions) =>
      runCommand(io, options, async ({ client }) => {
        const { custodyAccount, externalId } = options
        const facility = await client.createFacility({
          borrower_id: borrowerId,
          limit: { amount: limit, asset: 'USD' },
          ...(custodyAccount !== undefined && { custody_account: custodyAccount }),
          ...(externalId !== undefined && { external_id: externalId }),
        })
        return reportFacility(facility)
      }),
    )

  defineCommand(group, 'close <facility_id>', 'cancel an application, or close a repaid facility', [
    'facility close fac_…',
  ]).action((id: string, options: CommonOptions) =>
    runCommand(io, options, async ({ client }) => reportFacility(await client.closeFacility(id))),
  )
}

type ListOptions = { borrower?: string; state?: string; externalId?: string }

function addReading(group: Command, io: SvcIo): void {
  defineCommand(group, 'show <facility_id>', 'read a facility with its debt and ratio', [
    'facility show fac_…',
  ]).action((id: string, options: CommonOptions) =>
    runCommand(io, options, async ({ client }) => reportFacility(await client.getFacility(id))),
  )

  defineCommand(group, 'list', 'list facilities, newest first', [
    'facility list --state APPROVED',
    'facility list --borrower bor_…',
  ])
    .option('--borrower <id>', 'of this borrower')
    .option('--state <state>', STATES.join(', '))
    .option('--external-id <text>', 'with your own id')
    .action((options: CommonOptions & ListOptions) =>
      runCommand(io, options, async ({ client }) => {
        const { borrower, externalId } = options
        const state = readState(options.state)
        const query = {
          ...(borrower !== undefined && { borrower_id: borrower }),
          ...(state !== undefined && { state }),
          ...(externalId !== undefined && { external_id: externalId }),
        }
        return reportFacilities(await collect(client.listFacilities(query)))
      }),
    )

  defineCommand(group, 'margin <facility_id>', 'read collateral, warnings and margin calls', [
    'facility margin fac_…',
  ]).action((id: string, options: CommonOptions) =>
    runCommand(io, options, ({ client }) => readMargin(client, id)),
  )
}

function addMoving(group: Command, io: SvcIo): void {
  defineCommand(group, 'draw <facility_id> <amount>', 'request a draw', [
    'facility draw fac_… 10000.00 --to account-4711',
  ])
    .requiredOption('--to <destination>', 'where it is paid out')
    .option('--asset <code>', 'USD or USDC', 'USD')
    .action((id: string, amount: string, options: CommonOptions & { to: string; asset: string }) =>
      runCommand(io, options, ({ client }) => drawMoney(client, id, { ...options, amount })),
    )

  defineCommand(
    group,
    'repay <facility_id> <amount>',
    'request a repayment and report its transfer',
    [
      'facility repay fac_… 5000.00',
      'facility repay fac_… 9301.10 --cures 1 --reference wire-0815',
    ],
  )
    .option('--asset <code>', 'USD or USDC', 'USD')
    .option('--cures <number>', 'the margin warning it is to cure', readWhole('--cures'))
    .option('--reference <text>', 'of the transfer; made up where none is given')
    .action((id: string, amount: string, options: CommonOptions & RepayOptions) =>
      runCommand(io, options, ({ client }) => repay(client, id, { ...options, amount })),
    )
}

type RepayOptions = { asset: string; cures?: number; reference?: string }

function readState(state: string | undefined): Facility['state'] | undefined {
  const known = STATES.find((it) => it === state?.toUpperCase())
  if (state === undefined || known !== undefined) return known
  throw new SvcError('usage', `A facility is ${STATES.join(', ')}: not "${state}".`)
}

type Terms = NonNullable<Facility['terms']>

function reportFacility(facility: Facility): Report {
  const { limit, outstanding, charged_off: lost, decline_reasons: reasons, ...others } = facility
  const { on_hold: hold, forbearance, terms, next_terms: next, ...rest } = others
  const fields = {
    ...rest,
    limit: `${limit.amount} ${limit.asset}`,
    owed: `${outstanding.total} (principal ${outstanding.principal}, interest ${outstanding.interest})`,
    reserved: outstanding.reserved,
    charged_off:
      lost && `principal ${lost.principal}, interest ${lost.interest}, recovered ${lost.recovered}`,
    decline_reasons: reasons?.join(', '),
    on_hold: hold && `since ${hold.since}`,
    terms: terms && describeTerms(terms),
    next_terms: next && `from ${next.effective_at}: ${describeTerms(next.terms)}`,
    forbearance: forbearance && `until ${forbearance.until}`,
  }
  return { data: facility, text: formatFields(fields) }
}

const HOUR_SECONDS = 3_600

function describeTerms(terms: Terms): string {
  const { version, rate, tiers, cure_ltv: cure, critical_ltv: critical } = terms
  const lines = tiers.map((one) => `${one.above_ltv} (${one.cure_seconds / HOUR_SECONDS} h)`)
  return `version ${version}, rate ${rate}: warned above ${lines.join(', ')}, critical above ${critical}, cured up to ${cure}`
}

function reportFacilities(facilities: readonly Facility[]): Report {
  return reportList(
    facilities,
    {
      facility: (it) => it.id,
      'external id': (it) => it.external_id ?? '-',
      borrower: (it) => it.borrower_id,
      state: (it) => it.state,
      health: (it) => it.health,
      limit: (it) => it.limit.amount,
      owed: (it) => it.outstanding.total,
      ltv: (it) => it.ltv,
    },
    'There are no facilities.',
  )
}

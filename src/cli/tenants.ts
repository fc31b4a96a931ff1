import type { Command } from 'commander'
import { LENDER } from '../db/sql/people-tables.ts'
import { listResidencyRules } from '../domain/onboarding/residency.ts'
import {
  CLOSE_TENANT,
  CREATE_TENANT,
  RESUME_TENANT,
  SUSPEND_TENANT,
} from '../domain/operators/acts/tenant-acts.ts'
import { listPeople } from '../domain/people/people.ts'
import { exportTenant } from '../domain/tenants/export.ts'
import { listTenants, type Tenant } from '../domain/tenants/tenants.ts'
import {
  type ChangeOptions,
  defineChange,
  offerReason,
  reportOutcome,
  resultOf,
  runChange,
  withChanges,
} from './command/change.ts'
import type { CliIo } from './command/cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from './command/define-command.ts'
import { readId } from './command/options.ts'
import { reportList, showTime } from './command/output.ts'
import { assertTenant } from './command/session.ts'

export function addTenantCommands(program: Command, io: CliIo): void {
  const group = program
    .command('tenants')
    .description('The API clients that integrate the service.')

  defineChange(group, 'create <name>', 'Open an account for a tenant.', [
    'tenants create "Acme Exchange"',
    'tenants create "Acme Exchange" --with-sample-documents',
  ])
    .option('--with-sample-documents', 'also publish contracts to sign; for the sandbox alone')
    .action(async (name: string, options: ChangeOptions & { withSampleDocuments?: true }) => {
      await runChange(io, options, async ({ db, stack, isFourEyes, changeOrPropose }) => {
        const withSamples = options.withSampleDocuments === true
        const asked = { name, withSamples }
        const outcome = await changeOrPropose(CREATE_TENANT, asked, options.reason)
        const { tenant, documents } = resultOf(outcome)
        const hasPolicy = (await listResidencyRules(db)).length > 0
        const admins = (await listPeople(db, LENDER)).filter(({ role }) => role === 'admin')
        const steps = nextSteps(io.programName, tenant.id, {
          ...{ stack, withSamples, hasPolicy },
          hasTwo: !isFourEyes || admins.length > 1,
          isFourEyes,
        })
        const data = withSamples
          ? { ...toJson(tenant), documents: documents.map((document) => document.contractType) }
          : toJson(tenant)
        return { data, text: `Tenant ${tenant.id} created.\n\nNext:\n${numbered(steps)}` }
      })
    })

  defineCommand(group, 'list', 'List all tenants, oldest first.', [
    'tenants list',
    'tenants list --json',
  ]).action(async (options: CommonOptions) => {
    await runCommand(io, options, async ({ db }) => {
      const tenants = await listTenants(db)
      return reportList(tenants.map(toJson), {
        columns: ['id', 'name', 'created', 'suspended', 'closed'],
        rows: tenants.map(({ id, name, createdAt, suspended, closedAt }) => [
          ...[id, name, showTime(createdAt)],
          ...[suspended?.at, closedAt].map((at) => (at ? showTime(at) : '')),
        ]),
        empty: 'There are no tenants yet.',
      })
    })
  })
  addSuspension(group, io)
  addExport(group, io)
  addClosing(group, io)
}

function addSuspension(group: Command, io: CliIo): void {
  const acts = [
    {
      ...{ verb: 'suspend', done: 'suspended', act: SUSPEND_TENANT },
      about:
        'Refuse whatever a tenant would change, through its API and its console. Reads, webhooks, refunds and the margin ladder go on.',
    },
    {
      ...{ verb: 'resume', done: 'resumed', act: RESUME_TENANT },
      about: 'Let a suspended tenant write again.',
    },
  ] as const
  for (const { verb, done, act, about } of acts) {
    const example = `tenants ${verb} ten_… --reason "court order" --actor ada@lender.example`
    offerReason(defineChange(group, verb, about, [example]))
      .argument('<tenant>', 'the tenant, ten_…', readId('ten'))
      .action(async (tenantId: string, options: ChangeOptions) => {
        await runChange(io, options, async ({ changeOrPropose }) => {
          const outcome = await changeOrPropose(act, { tenantId }, options.reason)
          return reportOutcome(outcome, () => ({
            data: { id: tenantId, state: done },
            text: `${tenantId} is ${done}, on every process within five seconds.`,
          }))
        })
      })
  }
}

function addExport(group: Command, io: CliIo): void {
  const about =
    'Print every row of a tenant as of one instant, secrets aside: a line of JSON each, with personal data. The last line, "end", has the count and the SHA-256 of the lines before; without it the export is not complete.'
  offerReason(defineChange(group, 'export', about, ['tenants export ten_… > acme.jsonl']))
    .argument('<tenant>', 'the tenant, ten_…', readId('ten'))
    .action(async (tenantId: string, options: ChangeOptions) => {
      await withChanges(io, options, async (session) => {
        await assertTenant(session, tenantId)
        const subject = { kind: 'tenant', id: tenantId }
        await session.changeInSteps({ action: 'tenants.export', subject, tenantId }, (db) =>
          exportTenant(db, tenantId, (text) => io.writeOut(text)),
        )
      })
    })
}

function addClosing(group: Command, io: CliIo): void {
  const about =
    'Close a tenant for good: its keys, people and webhooks end, its rows stay. Two operators. Refused while anything is owed or held, before it has been suspended for a minute, and until all of it is exported.'
  const example = 'tenants close ten_… --reason "contract ended" --actor ada@lender.example'
  offerReason(defineChange(group, 'close', about, [example]))
    .argument('<tenant>', 'the tenant, ten_…', readId('ten'))
    .action(async (tenantId: string, options: ChangeOptions) => {
      await runChange(io, options, async ({ changeOrPropose }) => {
        const outcome = await changeOrPropose(CLOSE_TENANT, { tenantId }, options.reason)
        return reportOutcome(outcome, ({ keys, people, webhooks }) => ({
          data: { id: tenantId, state: 'closed', keys, people, webhooks },
          text: `${tenantId} is closed. Ended: keys ${keys}, people ${people}, webhooks ${webhooks}.`,
        }))
      })
    })
}

function toJson(tenant: Tenant) {
  const { id, name, createdAt, suspended, closedAt } = tenant
  return {
    ...{ id, name, created_at: createdAt },
    ...(suspended && { suspended_at: suspended.at, suspension_reason: suspended.reason }),
    ...(closedAt && { closed_at: closedAt }),
  }
}

type Done = {
  stack: 'live' | 'sandbox'
  withSamples: boolean
  hasPolicy: boolean
  isFourEyes: boolean
  /** Operators who may confirm each other's acts. */
  hasTwo: boolean
}

/** From the account to the first loan, for the operator and the tenant. */
function nextSteps(programName: string, tenantId: string, done: Done): string[] {
  const cli = (command: string) => `${programName} ${command}`
  const ofTenant = `--tenant ${tenantId}`
  return [
    ...(done.hasTwo
      ? []
      : [
          `two operators, for each: ${cli('operators invite --email <address> --name <name> --role admin')}`,
        ]),
    `a key: ${cli(`keys generate ${ofTenant}`)}`,
    ...(done.withSamples
      ? []
      : [
          `each contract to sign: ${cli(`documents publish ${ofTenant} --type master_loan_agreement --version <YYYY-MM> --title <text> --url <https://…>`)}`,
        ]),
    ...(done.hasPolicy ? [] : policySteps(cli, done)),
    'the tenant, with the key: GET /v1/documents, POST /v1/borrowers, and POST /v1/borrowers/{id}/signatures for each document',
    `checks that wait for you: ${cli(`borrowers review ${ofTenant}`)}`,
    'the tenant, after borrower.eligible: PUT /v1/borrowers/{id}/portfolio, then POST /v1/facilities',
    'the tenant, after facility.decisioned: POST /v1/facilities/{id}/draws; the loan is paid out at draw.completed',
  ]
}

function policySteps(cli: (command: string) => string, { stack, isFourEyes }: Done): string[] {
  const policy =
    stack === 'live'
      ? 'residency set --country US --state CA --type individual --allow'
      : 'residency seed-sample'
  if (!isFourEyes) return [`where borrowers may live: ${cli(policy)}`]
  return [
    `where borrowers may live: ${cli(`${policy} --reason <why> --actor <one operator>`)}`,
    `the same, confirmed: ${cli('approvals confirm <apr_…> --actor <the other operator>')}`,
  ]
}

const numbered = (steps: readonly string[]) =>
  steps.map((step, at) => `  ${at + 1}. ${step}`).join('\n')

import type { Command } from 'commander'
import { listResidencyRules } from '../domain/onboarding/residency.ts'
import {
  CREATE_TENANT,
  RESUME_TENANT,
  SUSPEND_TENANT,
} from '../domain/operators/acts/tenant-acts.ts'
import { listTenants, type Tenant } from '../domain/tenants/tenants.ts'
import {
  type ChangeOptions,
  defineChange,
  offerReason,
  reportOutcome,
  resultOf,
  runChange,
} from './command/change.ts'
import type { CliIo } from './command/cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from './command/define-command.ts'
import { readId } from './command/options.ts'
import { reportList, showTime } from './command/output.ts'

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
      await runChange(io, options, async ({ db, stack, changeOrPropose }) => {
        const withSamples = options.withSampleDocuments === true
        const asked = { name, withSamples }
        const outcome = await changeOrPropose(CREATE_TENANT, asked, options.reason)
        const { tenant, documents } = resultOf(outcome)
        const hasPolicy = (await listResidencyRules(db)).length > 0
        const steps = nextSteps(io.programName, tenant.id, { stack, withSamples, hasPolicy })
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
        columns: ['id', 'name', 'created', 'suspended'],
        rows: tenants.map(({ id, name, createdAt, suspended }) => [
          ...[id, name, showTime(createdAt)],
          suspended ? showTime(suspended.at) : '',
        ]),
        empty: 'There are no tenants yet.',
      })
    })
  })
  addSuspension(group, io)
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

function toJson(tenant: Tenant) {
  const { id, name, createdAt, suspended } = tenant
  return {
    ...{ id, name, created_at: createdAt },
    ...(suspended && { suspended_at: suspended.at, suspension_reason: suspended.reason }),
  }
}

/** From the account to the first loan, for the operator and the tenant. */
function nextSteps(
  programName: string,
  tenantId: string,
  done: { stack: 'live' | 'sandbox'; withSamples: boolean; hasPolicy: boolean },
): string[] {
  const cli = (command: string) => `${programName} ${command}`
  const policy =
    done.stack === 'live'
      ? 'residency set --country US --state CA --type individual --allow'
      : 'residency seed-sample'
  return [
    `a key: ${cli(`keys generate --tenant ${tenantId}`)}`,
    ...(done.withSamples
      ? []
      : [
          `each contract to sign: ${cli(`documents publish --tenant ${tenantId} --type master_loan_agreement --version <YYYY-MM> --title <text> --url <https://…>`)}`,
        ]),
    ...(done.hasPolicy ? [] : [`where borrowers may live: ${cli(policy)}`]),
    'the tenant, with the key: GET /v1/documents, POST /v1/borrowers, and POST /v1/borrowers/{id}/signatures for each document',
    `checks that wait for you: ${cli(`borrowers review --tenant ${tenantId}`)}`,
    'the tenant, after borrower.eligible: PUT /v1/borrowers/{id}/portfolio, then POST /v1/facilities',
    'the tenant, after facility.decisioned: POST /v1/facilities/{id}/draws; the loan is paid out at draw.completed',
  ]
}

const numbered = (steps: readonly string[]) =>
  steps.map((step, at) => `  ${at + 1}. ${step}`).join('\n')

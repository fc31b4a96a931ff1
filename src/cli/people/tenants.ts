import { LENDER } from '../../db/sql/people-tables.ts'
import { listResidencyRules } from '../../domain/onboarding/residency.ts'
import {
  CLOSE_TENANT,
  CREATE_TENANT,
  RESUME_TENANT,
  SUSPEND_TENANT,
} from '../../domain/operators/acts/tenant-acts.ts'
import { listPeople } from '../../domain/people/people.ts'
import { exportTenant } from '../../domain/tenants/export.ts'
import { listTenants, type Tenant } from '../../domain/tenants/tenants.ts'
import type { ChangeSession } from '../command/change.ts'
import { act, type CliCommand, change, list } from '../command/commands.ts'
import { MAY_REASON, THE_TENANT } from '../command/members.ts'
import { toMembers } from '../command/output.ts'

const tenantExample = (verb: string, why: string) => [
  `tenants ${verb} ten_… --reason "${why}" --actor ada@lender.example`,
]

export const TENANT_COMMANDS: CliCommand[] = [
  act(CREATE_TENANT, {
    name: 'tenants create',
    about: 'Open an account for a tenant.',
    examples: [
      'tenants create "Acme Exchange"',
      'tenants create "Acme Exchange" --with-sample-documents',
    ],
    async done({ tenant, documents }, { withSamples }, session) {
      const steps = await nextSteps(session, tenant.id, withSamples)
      const contracts = documents.map(({ contractType }) => contractType)
      return {
        data: { ...toItem(tenant), ...(withSamples && { documents: contracts }) },
        shown: `Tenant ${tenant.id} created.\n\nNext:\n${numbered(steps)}`,
      }
    },
  }),
  list({
    name: 'tenants list',
    about: 'List all tenants, oldest first.',
    examples: ['tenants list', 'tenants list --json'],
    list: async ({ db }) => (await listTenants(db)).map(toItem),
    columns: ['id', 'name', 'created_at', 'suspended_at', 'closed_at'],
    empty: 'There are no tenants yet.',
  }),
  act(SUSPEND_TENANT, {
    name: 'tenants suspend',
    about:
      'Refuse whatever a tenant would change, through its API and its console. Reads, webhooks, refunds and the margin ladder go on.',
    examples: tenantExample('suspend', 'court order'),
    done: (_, { tenantId }) => answerState(tenantId, 'suspended'),
  }),
  act(RESUME_TENANT, {
    name: 'tenants resume',
    about: 'Let a suspended tenant write again.',
    examples: tenantExample('resume', 'court order'),
    done: (_, { tenantId }) => answerState(tenantId, 'resumed'),
  }),
  change({
    name: 'tenants export',
    about:
      'Print every row of a tenant as of one instant, secrets aside: a line of JSON each, with personal data. The last line, "end", has the count and the SHA-256 of the lines before; without it the export is not complete.',
    examples: ['tenants export ten_… > acme.jsonl'],
    takes: { tenantId: THE_TENANT, reason: MAY_REASON },
    async change({ io, changeInSteps }, { tenantId }) {
      const subject = { kind: 'tenant', id: tenantId }
      await changeInSteps({ action: 'tenants.export', subject, tenantId }, (db) =>
        exportTenant(db, tenantId, (text) => io.writeOut(text)),
      )
      return undefined
    },
  }),
  act(CLOSE_TENANT, {
    name: 'tenants close',
    about:
      'Close a tenant for good: its keys, people and webhooks end, its rows stay. Two operators. Refused while anything is owed or held, before it has been suspended for a minute, and until all of it is exported.',
    examples: tenantExample('close', 'contract ended'),
    done: ({ keys, people, webhooks }, { tenantId: id }) => ({
      data: { id, state: 'closed', keys, people, webhooks },
      shown: `${id} is closed. Ended: keys ${keys}, people ${people}, webhooks ${webhooks}.`,
    }),
  }),
]

const answerState = (id: string, state: string) => ({
  data: { id, state },
  shown: `${id} is ${state}, on every process within five seconds.`,
})

function toItem({ suspended, ...tenant }: Tenant): object {
  const { at: suspendedAt, reason: suspensionReason } = suspended ?? {}
  return toMembers({ ...tenant, suspendedAt, suspensionReason })
}

/** From the account to the first loan, for the operator and the tenant. */
async function nextSteps(
  session: ChangeSession,
  tenantId: string,
  withSamples: boolean,
): Promise<string[]> {
  const { db, io, isFourEyes } = session
  const cli = (command: string) => `${io.programName} ${command}`
  const ofTenant = `--tenant ${tenantId}`
  const hasPolicy = (await listResidencyRules(db)).length > 0
  const admins = (await listPeople(db, LENDER)).filter(({ role }) => role === 'admin')
  return [
    ...(isFourEyes && admins.length < 2
      ? [
          `two operators, for each: ${cli('operators invite --email <address> --name <name> --role admin')}`,
        ]
      : []),
    `a key: ${cli(`keys generate ${ofTenant}`)}`,
    ...(withSamples
      ? []
      : [
          `each contract to sign: ${cli(`documents publish ${ofTenant} --type master_loan_agreement --version <YYYY-MM> --title <text> --url <https://…>`)}`,
        ]),
    ...(hasPolicy ? [] : policySteps(session, cli)),
    'the tenant, with the key: GET /v1/documents, POST /v1/borrowers, and POST /v1/borrowers/{id}/signatures for each document',
    `checks that wait for you: ${cli(`borrowers review ${ofTenant}`)}`,
    'the tenant, after borrower.eligible: PUT /v1/borrowers/{id}/portfolio, then POST /v1/facilities',
    'the tenant, after facility.decisioned: POST /v1/facilities/{id}/draws; the loan is paid out at draw.completed',
  ]
}

function policySteps(
  { stack, isFourEyes }: ChangeSession,
  cli: (command: string) => string,
): string[] {
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

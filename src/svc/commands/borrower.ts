import type { Command } from 'commander'
import type { Borrower } from '../../client/resources/resources.ts'
import type { Report } from '../../command-line/text.ts'
import { type CommonOptions, defineCommand, runCommand, type Session } from '../define-command.ts'
import { formatFields, reportList } from '../output.ts'
import { SvcError } from '../svc-error.ts'
import type { SvcIo } from '../svc-io.ts'

type Signer = { name: string; email: string; ip: string }

export function addBorrowerCommands(program: Command, io: SvcIo): void {
  const group = program.command('borrower').description('borrowers and what they have signed')

  defineCommand(group, 'create', 'create a borrower', [
    'borrower create --country DE',
    'borrower create --country US --state CA --type business',
  ])
    .requiredOption('--country <code>', 'residence, ISO 3166-1 alpha-2')
    .option('--state <code>', 'residence within the US')
    .option('--type <type>', 'individual or business', 'individual')
    .option('--not-attested', 'you have not completed their KYC')
    .option('--external-id <text>', 'your own id of the borrower')
    .action((options: CommonOptions & NewBorrowerOptions) =>
      runCommand(io, options, ({ client }) => createBorrower(client, options)),
    )

  defineCommand(group, 'show <borrower_id>', 'read a borrower', ['borrower show bor_…']).action(
    (id: string, options: CommonOptions) =>
      runCommand(io, options, async ({ client }) => reportBorrower(await client.getBorrower(id))),
  )

  defineCommand(group, 'sign <borrower_id>', 'submit a signature on each document', [
    'borrower sign bor_… --name "Ada Example" --email ada@example.com',
  ])
    .requiredOption('--name <name>', "the signer's full name")
    .requiredOption(
      '--email <address>',
      'on the sandbox, +fail, +review and +slow choose the result of the checks',
    )
    .option('--ip <address>', 'where they signed from', '203.0.113.7')
    .action((id: string, options: CommonOptions & Signer) =>
      runCommand(io, options, (session) => signAll(session, id, options)),
    )

  defineCommand(group, 'signatures <borrower_id>', 'list what a borrower has signed', [
    'borrower signatures bor_…',
  ]).action((id: string, options: CommonOptions) =>
    runCommand(io, options, async ({ client }) =>
      reportSignatures(await client.listSignatures(id)),
    ),
  )
}

type NewBorrowerOptions = {
  country: string
  state?: string
  type: string
  notAttested?: true
  externalId?: string
}

async function createBorrower(
  client: Session['client'],
  { country, state, type, notAttested, externalId }: NewBorrowerOptions,
): Promise<Report> {
  if (type !== 'individual' && type !== 'business') {
    throw new SvcError('usage', `A borrower is individual or business, not "${type}".`)
  }
  const borrower = await client.createBorrower({
    type,
    kyc_attested: !notAttested,
    residency_country: country,
    ...(state !== undefined && { residency_state: state }),
    ...(externalId !== undefined && { external_id: externalId }),
  })
  return reportBorrower(borrower)
}

function reportBorrower(borrower: Borrower): Report {
  return { data: borrower, text: formatFields(borrower) }
}

async function signAll({ client, output }: Session, id: string, signer: Signer): Promise<Report> {
  const { name, email, ip } = signer
  const documents = await client.listDocuments()
  for (const { contract_type, contract_version, title } of documents) {
    output.progress(`${name} signs ${title}`)
    await client.submitSignature(id, {
      full_name: name,
      email,
      ip_address: ip,
      signed_at: new Date().toISOString(),
      contract_type,
      contract_version,
    })
  }
  return reportSignatures(await client.listSignatures(id))
}

function reportSignatures(signatures: Awaited<ReturnType<Session['client']['listSignatures']>>) {
  return reportList(
    signatures,
    {
      document: (it) => `${it.contract_type} ${it.contract_version}`,
      'signed by': (it) => it.full_name ?? '',
      at: (it) => it.signed_at,
    },
    'Nothing is signed yet.',
  )
}

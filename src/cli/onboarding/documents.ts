import type { Command } from 'commander'
import {
  type ContractDocument,
  listAllDocuments,
  listRequiredDocuments,
} from '../../domain/onboarding/documents.ts'
import { PUBLISH_DOCUMENT, RETIRE_DOCUMENT } from '../../domain/operators/acts/document-acts.ts'
import {
  type ChangeOptions,
  defineChange,
  offerReason,
  resultOf,
  runChange,
} from '../command/change.ts'
import type { CliIo } from '../command/cli-io.ts'
import { defineCommand, runCommand, type TenantOptions } from '../command/define-command.ts'
import { requireTenant } from '../command/options.ts'
import { reportList, showTime } from '../command/output.ts'
import { assertTenant } from '../command/session.ts'

type VersionOptions = ChangeOptions & { tenant: string; type: string; version: string }
type NewDocumentOptions = VersionOptions & { title: string; url: string; contentType: string }

export function addDocumentCommands(program: Command, io: CliIo): void {
  const group = program
    .command('documents')
    .description("The contracts that a tenant's borrowers accept.")
  addPublish(group, io)
  addList(group, io)
  addRetire(group, io)
}

function addPublish(group: Command, io: CliIo): void {
  const command = defineChange(
    group,
    'publish',
    'Publish a version of a contract. Borrowers must accept it from now on; the version before it may still be signed for a while.',
    [
      'documents publish --tenant ten_… --type master_loan_agreement --version 2026-11 \\\n      --title "Master Loan Agreement" --url https://example.com/mla-2026-11.pdf',
    ],
  )
  requireVersion(command)
    .requiredOption('--title <text>', 'what borrowers see')
    .requiredOption('--url <url>', 'the https:// address of the file')
    .option('--content-type <type>', 'the media type of the file', 'application/pdf')
    .action(async (options: NewDocumentOptions) => {
      await runChange(io, options, async (session) => {
        const { tenant, type, title, url, contentType, version: contractVersion } = options
        await assertTenant(session, tenant)
        const document = {
          contractType: type,
          contractVersion,
          title,
          downloadUrl: url,
          contentType,
        }
        const asked = { tenantId: tenant, ...document }
        const outcome = await session.changeOrPropose(PUBLISH_DOCUMENT, asked, options.reason)
        const published = {
          ...document,
          ...resultOf(outcome),
          supersededAt: undefined,
          retiredAt: undefined,
        }
        return {
          data: toJson(published),
          text: `Version ${contractVersion} of ${type} is published and required from now on.`,
        }
      })
    })
}

function addList(group: Command, io: CliIo): void {
  const command = defineCommand(
    group,
    'list',
    'List the contracts that borrowers must accept now.',
    ['documents list --tenant ten_…', 'documents list --tenant ten_… --all'],
  ).option('--all', 'also superseded and retired versions')
  requireTenant(command).action(async (options: TenantOptions & { all?: true }) => {
    await runCommand(io, options, async (session) => {
      await assertTenant(session, options.tenant)
      const list = options.all ? listAllDocuments : listRequiredDocuments
      const documents = await list(session.db, options.tenant)
      return reportList(documents.map(toJson), {
        columns: ['type', 'version', 'state', 'title', 'published', 'url'],
        rows: documents.map((document) => [
          ...[document.contractType, document.contractVersion, stateOf(document), document.title],
          ...[showTime(document.publishedAt), document.downloadUrl],
        ]),
        empty: options.all
          ? 'The tenant has no documents yet.'
          : 'The tenant has no current documents, so none of its borrowers can become eligible.',
      })
    })
  })
}

function addRetire(group: Command, io: CliIo): void {
  const command = defineChange(
    group,
    'retire',
    'Take a version out of use. Its signatures no longer count for borrowers who are not eligible yet.',
    ['documents retire --tenant ten_… --type master_loan_agreement --version 2026-11'],
  )
  requireVersion(offerReason(command)).action(async (options: VersionOptions) => {
    await runChange(io, options, async (session) => {
      const { tenant, type, version } = options
      await assertTenant(session, tenant)
      const asked = { tenantId: tenant, contractType: type, contractVersion: version }
      const outcome = await session.changeOrPropose(RETIRE_DOCUMENT, asked, options.reason)
      const { retiredAt } = resultOf(outcome)
      return {
        data: { contract_type: type, contract_version: version, retired_at: retiredAt },
        text: `Version ${version} of ${type} is retired.`,
      }
    })
  })
}

function requireVersion(command: Command): Command {
  return requireTenant(command)
    .requiredOption('--type <contract_type>', 'the contract, such as master_loan_agreement')
    .requiredOption('--version <month>', 'its version, such as 2026-11')
}

function stateOf(document: ContractDocument): 'current' | 'superseded' | 'retired' {
  if (document.retiredAt) return 'retired'
  return document.supersededAt ? 'superseded' : 'current'
}

function toJson(document: ContractDocument) {
  return {
    contract_type: document.contractType,
    contract_version: document.contractVersion,
    state: stateOf(document),
    title: document.title,
    download_url: document.downloadUrl,
    content_type: document.contentType,
    published_at: document.publishedAt,
    superseded_at: document.supersededAt,
    retired_at: document.retiredAt,
  }
}

import {
  type ContractDocument,
  listAllDocuments,
  listRequiredDocuments,
} from '../../domain/onboarding/documents.ts'
import { PUBLISH_DOCUMENT, RETIRE_DOCUMENT } from '../../domain/operators/acts/document-acts.ts'
import { act, type CliCommand, list } from '../command/commands.ts'
import { TENANT } from '../command/members.ts'
import { toMembers } from '../command/output.ts'
import { flag } from '../command/parameters.ts'

export const DOCUMENT_COMMANDS: CliCommand[] = [
  act(PUBLISH_DOCUMENT, {
    name: 'documents publish',
    about:
      'Publish a version of a contract. Borrowers must accept it from now on; the version before it may still be signed for a while.',
    examples: [
      'documents publish --tenant ten_… --type master_loan_agreement --version 2026-11 \\\n      --title "Master Loan Agreement" --url https://example.com/mla-2026-11.pdf',
    ],
    done({ publishedAt }, { tenantId: _, ...document }) {
      const published = { ...document, publishedAt, supersededAt: undefined, retiredAt: undefined }
      return {
        data: toMembers(toItem(published)),
        shown: `Version ${document.contractVersion} of ${document.contractType} is published and required from now on.`,
      }
    },
  }),
  list({
    name: 'documents list',
    about: 'List the contracts that borrowers must accept now.',
    examples: ['documents list --tenant ten_…', 'documents list --tenant ten_… --all'],
    takes: { all: flag('--all', 'also superseded and retired versions'), tenantId: TENANT },
    async list({ db }, { all, tenantId }) {
      const documents = await (all ? listAllDocuments : listRequiredDocuments)(db, tenantId)
      return documents.map(toItem)
    },
    columns: [
      ...['contract_type', 'contract_version', 'state', 'title', 'published_at', 'download_url'],
    ],
    empty: ({ all }) =>
      all
        ? 'The tenant has no documents yet.'
        : 'The tenant has no current documents, so none of its borrowers can become eligible.',
  }),
  act(RETIRE_DOCUMENT, {
    name: 'documents retire',
    about:
      'Take a version out of use. Its signatures no longer count for borrowers who are not eligible yet.',
    examples: ['documents retire --tenant ten_… --type master_loan_agreement --version 2026-11'],
    done: ({ retiredAt }, { contractType: type, contractVersion: version }) => ({
      data: { contract_type: type, contract_version: version, retired_at: retiredAt },
      shown: `Version ${version} of ${type} is retired.`,
    }),
  }),
]

function toItem(document: ContractDocument) {
  const { retiredAt, supersededAt } = document
  const past = supersededAt ? 'superseded' : 'current'
  return { ...document, state: retiredAt ? 'retired' : past }
}

import { type Command, CommanderError } from 'commander'
import { createProgram, EXIT, runProgram } from '../../command-line/program.ts'
import { formatJson } from '../../command-line/text.ts'
import { BOOK_COMMANDS } from '../books/book.ts'
import { BOOKS_COMMANDS } from '../books/books.ts'
import { MONTH_END_COMMANDS } from '../books/month-end.ts'
import { FACILITY_COMMANDS } from '../facilities.ts'
import { BACKTEST_COMMANDS } from '../margin/backtest.ts'
import { DESK_COMMANDS } from '../margin/desk.ts'
import { POLICY_COMMANDS } from '../margin/policy.ts'
import { STRESS_COMMANDS } from '../margin/stress.ts'
import { APPLICATION_COMMANDS, BORROWER_COMMANDS } from '../onboarding/borrowers.ts'
import { DOCUMENT_COMMANDS } from '../onboarding/documents.ts'
import { PERSONAL_DATA_COMMANDS } from '../onboarding/personal-data.ts'
import { RESIDENCY_COMMANDS } from '../onboarding/residency.ts'
import { AUDIT_COMMANDS } from '../operations/audit.ts'
import { PROVIDER_COMMANDS } from '../operations/check-provider.ts'
import { DISTRIBUTE_COMMANDS } from '../operations/distribute.ts'
import { ENCRYPTION_COMMANDS } from '../operations/encryption.ts'
import { MIGRATE_COMMANDS } from '../operations/migrate.ts'
import { LEDGER_COMMANDS, OPERATIONS_COMMANDS, WORK_COMMANDS } from '../operations/operations.ts'
import { PAYMENT_COMMANDS } from '../payments.ts'
import { APPROVAL_COMMANDS } from '../people/approvals.ts'
import { CONSOLE_COMMANDS } from '../people/console.ts'
import { KEY_COMMANDS } from '../people/keys.ts'
import { OPERATOR_COMMANDS } from '../people/operators.ts'
import { TENANT_COMMANDS } from '../people/tenants.ts'
import type { CliIo } from './cli-io.ts'
import { addCommands } from './commands.ts'
import { explainFailure } from './explain-failure.ts'

const DESCRIPTION =
  "The lending service's command line: tenants, keys, documents, policy, reviews, refunds, books."

const ABOUT = `
Commands use the database of DATABASE_URL, else that of the local stack (npm start).
For scripts: <command> --json, with npm run --silent.
Exit codes: 0 done, 1 refused or a check found a fault, 2 misuse.`

const GROUPS = {
  operators: "The lender's own people, and the record of what they did.",
  'operators tokens':
    'What operators, and programs in their name, prove themselves with at the API.',
  approvals: 'Acts that one operator has proposed and another confirms.',
  tenants: 'The API clients that integrate the service.',
  keys: "The keys that sign a tenant's requests.",
  console: 'The console, and the people who use it.',
  'console sessions': "People's sessions in the console.",
  encryption: 'The keys that encrypt secrets in the database.',
  documents: "The contracts that a tenant's borrowers accept.",
  residency: 'Who may borrow, by residence and type; default deny.',
  borrowers: 'Reviews, blocks and personal data of borrowers.',
  applications: 'Applications for facilities.',
  facilities: 'Holds on facilities, amendments of their terms, and corrections.',
  refunds: 'Refunds to borrowers that the treasury has refused to pay.',
  receipts: 'Receipts of repayments about which an operator has to decide.',
  payments: 'Payments that wait for a final answer, or about which another one came.',
  breaks: 'What the books and the providers say differently.',
  providers: "Vendors' adapters.",
  ledger: 'The books of every facility.',
  books: 'The general ledger: balances, exports, the end of a month.',
  work: 'Work that fails repeatedly.',
  margin: 'The margin ladder: warnings and sales.',
  'margin policy': 'Terms of the margin ladder, and their versions.',
  operations: 'What is wrong, what waits, and what runs, over all tenants.',
}

const COMMANDS = [
  ...OPERATOR_COMMANDS,
  ...APPROVAL_COMMANDS,
  ...TENANT_COMMANDS,
  ...KEY_COMMANDS,
  ...CONSOLE_COMMANDS,
  ...ENCRYPTION_COMMANDS,
  ...DOCUMENT_COMMANDS,
  ...RESIDENCY_COMMANDS,
  ...BORROWER_COMMANDS,
  ...PERSONAL_DATA_COMMANDS,
  ...APPLICATION_COMMANDS,
  ...FACILITY_COMMANDS,
  ...PAYMENT_COMMANDS,
  ...PROVIDER_COMMANDS,
  ...LEDGER_COMMANDS,
  ...BOOK_COMMANDS,
  ...BOOKS_COMMANDS,
  ...MONTH_END_COMMANDS,
  ...AUDIT_COMMANDS,
  ...WORK_COMMANDS,
  ...OPERATIONS_COMMANDS,
  ...DESK_COMMANDS,
  ...STRESS_COMMANDS,
  ...POLICY_COMMANDS,
  ...BACKTEST_COMMANDS,
  ...MIGRATE_COMMANDS,
  ...DISTRIBUTE_COMMANDS,
]

/** Runs one command and returns the exit code. Prints why one failed: a sentence, or `{error}`. */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  const asJson = argv.includes('--json')
  return await runProgram(assembleProgram(io), argv, (error) => {
    const { code, message } = explainFailure(error)
    io.writeError(asJson ? formatJson({ error: { code, message } }) : `${message}\n`)
    return error instanceof CommanderError ? EXIT.misuse : EXIT.refused
  })
}

export function assembleProgram(io: CliIo): Command {
  const program = createProgram(io, DESCRIPTION, ABOUT)
  addCommands(program, io, GROUPS, COMMANDS)
  return program
}

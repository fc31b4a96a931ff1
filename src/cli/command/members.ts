// Arguments and options that commands share. Those of an act follow from the members of its request.
import { z } from 'zod'
import { HOLD_KINDS } from '../../domain/facilities/holds/holds.ts'
import { readEmail, readId, readIdOf, readVersion } from './options.ts'
import { flag, optional, type Parameters, required, withDefault } from './parameters.ts'

export const AS_JSON = flag('--json', 'print JSON')
export const ACTOR = optional(
  '--actor <email>',
  "the operator who acts, for the record; by default the system's user",
  readEmail,
)
const WHY = ['--reason <text>', 'why, for the record'] as const
export const MUST_REASON = required(...WHY)
export const MAY_REASON = optional(...WHY)
export const YES = flag('--yes', 'do not ask')

export const TENANT = required('--tenant <id>', 'the tenant, ten_…', readId('ten'))
export const THE_TENANT = required('<tenant>', 'the tenant, ten_…', readId('ten'))
export const OF_TENANT = optional('--tenant <id>', 'of one tenant, ten_…', readId('ten'))
export const FACILITY = required('<facility_id>', 'the facility, fac_…', readId('fac'))
export const BORROWER = required('<borrower_id>', 'the borrower, bor_…', readId('bor'))
export const MAYBE_BORROWER = optional('[borrower_id]', 'the borrower, bor_…', readId('bor'))
export const EMAIL = required('--email <address>', 'the e-mail address', readEmail)

/** How each member of an act's request is given. */
const MEMBERS: Parameters = {
  tenantId: TENANT,
  facilityId: FACILITY,
  borrowerId: BORROWER,
  repaymentId: required('<repayment_id>', 'the repayment, rep_…', readId('rep')),
  refundId: required('<refund_id>', 'the refund, rfd_…', readId('rfd')),
  subjectId: required('<id>', 'the repayment, draw or refund', readIdOf('rep', 'drw', 'rfd')),
  breakId: required('<id>', 'the break', readId('brk')),
  keyId: required('<key_id>', 'the key, key_…', readId('key')),
  personId: required('<person_id>', 'the person, per_…', readId('per')),
  number: required('<version>', 'its number', readVersion),
  name: required('<name>', 'what it is called'),
  withSamples: withDefault(
    flag('--with-sample-documents', 'also publish contracts to sign; for the sandbox alone'),
    false,
  ),
  kind: required('--kind <kind>', 'why, in a word', HOLD_KINDS),
  holdId: required(
    '--hold <hold_id>',
    'the hold, pau_…, as facilities holds shows it',
    readId('pau'),
  ),
  destination: required('--destination <text>', 'where the money goes'),
  contractType: required('--type <contract_type>', 'the contract, such as master_loan_agreement'),
  contractVersion: required('--version <month>', 'its version, such as 2026-11'),
  title: required('--title <text>', 'what borrowers see'),
  downloadUrl: required('--url <url>', 'the https:// address of the file'),
  contentType: withDefault(
    optional('--content-type <type>', 'the media type of the file'),
    'application/pdf',
  ),
}

export function takesOf(schema: z.ZodType): Parameters {
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  // An act on a tenant as a whole has it as its argument.
  if (names.join() === 'tenantId') return { tenantId: THE_TENANT }
  const members = names.map((name) => {
    const parameter = MEMBERS[name]
    if (!parameter) throw new Error(`no parameter is known for the member ${name} of an act`)
    return [name, parameter] as const
  })
  return Object.fromEntries(members)
}

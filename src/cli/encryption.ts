import type { Command } from 'commander'
import { FaultReported } from '../command-line/program.ts'
import { Refusal } from '../core/errors.ts'
import { createSealer, type SealingKey } from '../core/sealing.ts'
import { resealRecords } from '../domain/idempotency/idempotency.ts'
import { resealSecrets } from '../domain/webhooks/signing-secret.ts'
import type { CliIo } from './cli-io.ts'
import { type CommonOptions, defineCommand, printReport } from './define-command.ts'
import { locateKeys, withSession } from './session.ts'

const ABOUT = `Seal again, under the first of ENCRYPTION_KEYS, what its other keys have sealed. Where the database is
that of the local stack, so are the keys, unless they are given.

Every API and worker must know the first key before this runs, or it can sign no delivery any more: give
them the new key last, then first, then run this; the others can be removed when it has succeeded. Safe
while the service runs, and to be repeated. Exits with code 1 when something is left that no key opens.`

export function addEncryptionCommands(program: Command, io: CliIo): void {
  const group = program
    .command('encryption')
    .description('The keys that encrypt secrets in the database.')
  defineCommand(group, 'rotate', ABOUT, ['encryption rotate']).action(
    async (options: CommonOptions) => {
      const sealer = createSealer(requireKeys(locateKeys(io.loadConfig())))
      if (!options.json) {
        io.writeOut(
          `Sealing under ${sealer.keyId}, which every API and worker must know by now: one that does not cannot sign deliveries.\n`,
        )
      }
      const { secrets, answers } = await withSession(io, async ({ db }) => ({
        secrets: await resealSecrets(db, sealer),
        answers: await resealRecords(db, sealer),
      }))
      const missing = [...new Set([...secrets.failedKeyIds, ...answers.failedKeyIds])].sort()
      printReport(io, options, {
        data: {
          key_id: sealer.keyId,
          signing_secrets: { resealed: secrets.resealed, shut: secrets.failed },
          stored_answers: { resealed: answers.resealed, shut: answers.failed },
          missing_key_ids: missing,
        },
        text: `Sealed again under ${sealer.keyId}: ${count(secrets.resealed, 'signing secret')}, ${count(answers.resealed, 'stored answer')}.\n${
          missing.length === 0
            ? `Nothing needs another key than ${sealer.keyId}.`
            : describeDecryptionError(sealer.keyId, secrets.failed, answers.failed, missing)
        }`,
      })
      if (missing.length > 0) throw new FaultReported()
    },
  )
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

/** What stays shut, and its cure: for secrets and for stored answers it is not the same. */
function describeDecryptionError(
  keyId: string,
  secrets: number,
  answers: number,
  missing: string[],
): string {
  return [
    `No key opens ${count(secrets, 'signing secret')} and ${count(answers, 'stored answer')}.`,
    `Put the key back into ENCRYPTION_KEYS, behind ${keyId}, and run this again: ${missing.join(', ')}.`,
    'If it is lost: deliveries of a secret wait until its tenant has created a new one. A stored answer needs nothing: its replay is refused with secret_not_retrievable, and it is forgotten after IDEMPOTENCY_RETENTION_DAYS.',
  ].join('\n')
}

function requireKeys(keys: readonly SealingKey[] | undefined): readonly SealingKey[] {
  if (keys) return keys
  throw new Refusal(
    'validation_failed',
    'ENCRYPTION_KEYS is not set: give the same list as to the API and the worker.',
  )
}

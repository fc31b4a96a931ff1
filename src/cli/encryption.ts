import type { Command } from 'commander'
import { Refusal } from '../core/errors.ts'
import { createSealer, type SealingKey } from '../core/sealing.ts'
import { resealRecords } from '../domain/idempotency/idempotency.ts'
import { resealSecrets } from '../domain/webhooks/signing-secret.ts'
import type { CliIo } from './cli-io.ts'
import { type CommonOptions, defineCommand, FaultFound, printReport } from './define-command.ts'
import { withSession } from './session.ts'

const ABOUT = `Seal again, under the first of ENCRYPTION_KEYS, what its other keys have sealed.

Run it once every process has the new key first; the others can be removed when it has succeeded. Safe
while the service runs, and to be repeated. Exits with code 1 when something is left that no key opens.`

export function addEncryptionCommands(program: Command, io: CliIo): void {
  const group = program
    .command('encryption')
    .description('The keys that encrypt secrets in the database.')
  defineCommand(group, 'rotate', ABOUT, ['encryption rotate']).action(
    async (options: CommonOptions) => {
      const sealer = createSealer(requireKeys(io.loadConfig().encryptionKeys))
      const { secrets, answers } = await withSession(io, async ({ db }) => ({
        secrets: await resealSecrets(db, sealer),
        answers: await resealRecords(db, sealer),
      }))
      const shut = secrets.shut + answers.shut
      const rest =
        shut === 0
          ? `Nothing needs another key than ${sealer.keyId}.`
          : `No key opens ${secrets.shut} signing secrets and ${answers.shut} stored answers: keep the keys you have, and give the one that is missing.`
      printReport(io, options, {
        data: { key_id: sealer.keyId, signing_secrets: secrets, stored_answers: answers },
        text: `Sealed again under ${sealer.keyId}: ${secrets.resealed} signing secrets, ${answers.resealed} stored answers.\n${rest}`,
      })
      if (shut > 0) throw new FaultFound()
    },
  )
}

function requireKeys(keys: readonly SealingKey[] | undefined): readonly SealingKey[] {
  if (keys) return keys
  throw new Refusal(
    'validation_failed',
    'ENCRYPTION_KEYS is not set: give the same list as to the API and the worker.',
  )
}

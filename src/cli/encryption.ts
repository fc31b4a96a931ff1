import type { Command } from 'commander'
import { FaultReported } from '../command-line/program.ts'
import { CONSTANTS } from '../config/constants.ts'
import type { Resealed } from '../core/sealing.ts'
import { resealRecords } from '../domain/idempotency/idempotency.ts'
import { resealReceiptKey, rotateReceiptKey } from '../domain/margin/receipts/receipt-key.ts'
import { resealBorrowerKeys } from '../domain/personal/borrower-key.ts'
import { resealErasureKey } from '../domain/personal/digests.ts'
import { resealSecrets } from '../domain/webhooks/signing-secret.ts'
import {
  type ChangeOptions,
  defineChange,
  offerReason,
  runChange,
  withChanges,
} from './command/change.ts'
import type { CliIo } from './command/cli-io.ts'
import { printReport } from './command/define-command.ts'
import { requireSealer } from './command/session.ts'

const ABOUT =
  "Encrypt every stored secret again, with the first of ENCRYPTION_KEYS. On the local stack's database the keys are the stack's own, unless you set others. First give every API and worker the new key, at the end of the list, then at its beginning: a process that does not know it cannot sign deliveries. Then run this; afterwards the other keys can go. It is safe while the service runs and can be repeated. Exits with code 1 when a secret is left that no key decrypts."

export function addEncryptionCommands(program: Command, io: CliIo): void {
  const group = program
    .command('encryption')
    .description('The keys that encrypt secrets in the database.')
  offerReason(defineChange(group, 'rotate', ABOUT, ['encryption rotate'])).action(
    async (options: ChangeOptions) => {
      const sealer = requireSealer(io.loadConfig())
      if (!options.json) {
        io.writeOut(
          `Encrypting with ${sealer.keyId}. Every API and worker must know this key: one that does not cannot sign deliveries.\n`,
        )
      }
      const act = { action: 'encryption.rotate' as const, after: { key_id: sealer.keyId } }
      const { secrets, answers, receipts, borrowers, erasures } = await withChanges(
        io,
        options,
        ({ changeInSteps }) =>
          changeInSteps(act, async (db) => ({
            secrets: await resealSecrets(db, sealer),
            answers: await resealRecords(db, sealer),
            receipts: await resealReceiptKey(db, sealer),
            borrowers: await resealBorrowerKeys(db, sealer),
            erasures: await resealErasureKey(db, sealer),
          })),
      )
      const failed = [secrets, answers, receipts, borrowers, erasures].flatMap((done) => [
        ...done.failedKeyIds,
      ])
      const missing = [...new Set(failed)].sort()
      printReport(io, options, {
        data: {
          key_id: sealer.keyId,
          signing_secrets: { resealed: secrets.resealed, shut: secrets.failed },
          stored_answers: { resealed: answers.resealed, shut: answers.failed },
          receipt_keys: { resealed: receipts.resealed, shut: receipts.failed },
          borrower_keys: { resealed: borrowers.resealed, shut: borrowers.failed },
          erasure_keys: { resealed: erasures.resealed, shut: erasures.failed },
          missing_key_ids: missing,
        },
        text: `Encrypted again with ${sealer.keyId}: ${count(secrets.resealed, 'signing secret')}, ${count(answers.resealed, 'stored answer')}, ${count(receipts.resealed, 'receipt key')}, ${count(borrowers.resealed, 'borrower key')}.\n${
          missing.length === 0
            ? `Only ${sealer.keyId} is needed now.`
            : describeDecryptionError(sealer.keyId, { secrets, answers, borrowers }, missing)
        }`,
      })
      if (missing.length > 0) throw new FaultReported()
    },
  )
  addReceiptKeyCommand(group, io)
}

const ABOUT_RECEIPT_KEY =
  'Sign receipts of sales with a new key from now on. The private half of the old one is forgotten; its public half stays at /.well-known/receipt-keys.json, and the receipts that it has signed stay right.'

function addReceiptKeyCommand(group: Command, io: CliIo): void {
  offerReason(
    defineChange(group, 'rotate-receipt-key', ABOUT_RECEIPT_KEY, ['encryption rotate-receipt-key']),
  ).action(async (options: ChangeOptions) => {
    const sealer = requireSealer(io.loadConfig())
    await runChange(io, options, async ({ change }) => {
      const keyId = await change(async (tx, { now }) => {
        const made = await rotateReceiptKey(tx, sealer, now)
        const after = { key_id: made }
        return { result: made, act: { action: 'receipt_key.rotate', after } }
      })
      return { data: { key_id: keyId }, text: `Receipts are signed by ${keyId} from now on.` }
    })
  })
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

function describeDecryptionError(
  keyId: string,
  { secrets, answers, borrowers }: Record<'secrets' | 'answers' | 'borrowers', Resealed>,
  missing: string[],
): string {
  return [
    `No key decrypts ${count(secrets.failed, 'signing secret')}, ${count(answers.failed, 'stored answer')} and ${count(borrowers.failed, 'borrower key')}.`,
    `Add these keys to ENCRYPTION_KEYS, after ${keyId}, and run this again: ${missing.join(', ')}.`,
    `If a key is lost: deliveries wait until the tenant creates a new signing secret. Stored answers need nothing: a replay is refused with secret_not_retrievable, and they are deleted after ${CONSTANTS.idempotencyRetentionDays} days. Personal data under a lost borrower key cannot be read any more.`,
  ].join('\n')
}

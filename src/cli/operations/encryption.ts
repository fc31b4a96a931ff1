import { CONSTANTS } from '../../config/constants.ts'
import type { Resealed } from '../../core/sealing.ts'
import { resealRecords } from '../../domain/idempotency/idempotency.ts'
import { resealReceiptKey, rotateReceiptKey } from '../../domain/margin/receipts/receipt-key.ts'
import { resealBorrowerKeys } from '../../domain/personal/borrower-key.ts'
import { resealErasureKey } from '../../domain/personal/digests.ts'
import { resealSecrets } from '../../domain/webhooks/signing-secret.ts'
import type { ChangeSession } from '../command/change.ts'
import { type CliCommand, change } from '../command/commands.ts'
import { MAY_REASON } from '../command/members.ts'
import type { Answer } from '../command/output.ts'
import { requireSealer } from '../command/session.ts'

export const ENCRYPTION_COMMANDS: CliCommand[] = [
  change({
    name: 'encryption rotate',
    about:
      "Encrypt every stored secret again, with the first of ENCRYPTION_KEYS. On the local stack's database the keys are the stack's own, unless you set others. First give every API and worker the new key, at the end of the list, then at its beginning: a process that does not know it cannot sign deliveries. Then run this; afterwards the other keys can go. It is safe while the service runs and can be repeated. Exits with code 1 when a secret is left that no key decrypts.",
    examples: ['encryption rotate'],
    takes: { reason: MAY_REASON },
    change: async (session, { json }) => await rotate(session, json === true),
  }),
  change({
    name: 'encryption rotate-receipt-key',
    about:
      'Sign receipts of sales with a new key from now on. The private half of the old one is forgotten; its public half stays at /.well-known/receipt-keys.json, and the receipts that it has signed stay right.',
    examples: ['encryption rotate-receipt-key'],
    takes: { reason: MAY_REASON },
    async change({ config, makeChange }) {
      const sealer = requireSealer(config)
      const keyId = await makeChange(async (tx, { now }) => {
        const made = await rotateReceiptKey(tx, sealer, now)
        return { result: made, act: { action: 'receipt_key.rotate', after: { key_id: made } } }
      })
      return { data: { key_id: keyId }, shown: `Receipts are signed by ${keyId} from now on.` }
    },
  }),
]

async function rotate(
  { io, config, changeInSteps }: ChangeSession,
  asJson: boolean,
): Promise<Answer> {
  const sealer = requireSealer(config)
  const { keyId } = sealer
  if (!asJson) {
    io.writeOut(
      `Encrypting with ${keyId}. Every API and worker must know this key: one that does not cannot sign deliveries.\n`,
    )
  }
  const act = { action: 'encryption.rotate' as const, after: { key_id: keyId } }
  const done = await changeInSteps(act, async (db) => ({
    signing_secrets: await resealSecrets(db, sealer),
    stored_answers: await resealRecords(db, sealer),
    receipt_keys: await resealReceiptKey(db, sealer),
    borrower_keys: await resealBorrowerKeys(db, sealer),
    erasure_keys: await resealErasureKey(db, sealer),
  }))
  const failed = Object.values(done).flatMap(({ failedKeyIds }) => [...failedKeyIds])
  const missing = [...new Set(failed)].sort()
  const counts = Object.entries(done).map(([name, { resealed, failed: shut }]) => [
    name,
    { resealed, shut },
  ])
  const { signing_secrets: secrets, stored_answers: answers } = done
  const sum = `Encrypted again with ${keyId}: ${count(secrets.resealed, 'signing secret')}, ${count(answers.resealed, 'stored answer')}, ${count(done.receipt_keys.resealed, 'receipt key')}, ${count(done.borrower_keys.resealed, 'borrower key')}.`
  const rest =
    missing.length === 0 ? `Only ${keyId} is needed now.` : describeMissing(keyId, done, missing)
  return {
    data: { key_id: keyId, ...Object.fromEntries(counts), missing_key_ids: missing },
    shown: `${sum}\n${rest}`,
    isFault: missing.length > 0,
  }
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

function describeMissing(
  keyId: string,
  done: Record<'signing_secrets' | 'stored_answers' | 'borrower_keys', Resealed>,
  missing: string[],
): string {
  const { signing_secrets: secrets, stored_answers: answers, borrower_keys: borrowers } = done
  return [
    `No key decrypts ${count(secrets.failed, 'signing secret')}, ${count(answers.failed, 'stored answer')} and ${count(borrowers.failed, 'borrower key')}.`,
    `Add these keys to ENCRYPTION_KEYS, after ${keyId}, and run this again: ${missing.join(', ')}.`,
    `If a key is lost: deliveries wait until the tenant creates a new signing secret. Stored answers need nothing: a replay is refused with secret_not_retrievable, and they are deleted after ${CONSTANTS.idempotencyRetentionDays} days. Personal data under a lost borrower key cannot be read any more.`,
  ].join('\n')
}

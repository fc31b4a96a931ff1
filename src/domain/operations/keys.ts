import type { Db } from '../../db/database.ts'
import { countByKey } from './key-queries.ts'
import type { RunningProcess } from './processes.ts'

export type EncryptionKey = {
  keyId: string
  signingSecrets: number
  storedAnswers: number
  encryptedBy: number
  decryptedBy: number
  missingIn: string[]
}

/** Each key that is in use or that a process has. Never a key itself. */
export async function listEncryptionKeys(
  db: Db,
  processes: readonly RunningProcess[],
): Promise<EncryptionKey[]> {
  const used = new Map((await countByKey(db)).map((row) => [row.key_id, row]))
  const heard = processes.filter(({ isSilent }) => !isSilent)
  const ids = new Set([...used.keys(), ...heard.flatMap(({ report }) => report.keyIds)])
  return [...ids].sort().map((keyId) => ({
    keyId,
    signingSecrets: used.get(keyId)?.secrets ?? 0,
    storedAnswers: used.get(keyId)?.answers ?? 0,
    encryptedBy: heard.filter(({ report }) => report.keyIds[0] === keyId).length,
    decryptedBy: heard.filter(({ report }) => report.keyIds.slice(1).includes(keyId)).length,
    missingIn: heard
      .filter(({ report }) => !report.keyIds.includes(keyId))
      .map(({ processId }) => processId),
  }))
}

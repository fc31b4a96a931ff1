import { createHash } from 'node:crypto'

export type ManifestFile = { name: string; sha256: string; bytes: number; rows: number }

export type Manifest = {
  month: string
  stack: string
  made_at: string
  /** The database takes no more entries in the month, of any tenant in the pack. */
  closed: boolean
  tenants: number
  files: ManifestFile[]
}

/** A file as it grows: its hash, its size and its rows, without the first. */
export function createFileHash() {
  const hash = createHash('sha256')
  let [bytes, rows] = [0, -1]
  return {
    add(text: string) {
      const part = Buffer.from(text)
      hash.update(part)
      bytes += part.length
      rows += text.split('\n').length - 1
    },
    end: (name: string): ManifestFile => ({ name, sha256: hash.digest('hex'), bytes, rows }),
  }
}

/** The bytes that are written, hashed and signed. */
export function encodeManifest(manifest: Manifest): Buffer {
  return Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
}

/** `sign` gives the 64 bytes of an Ed25519 signature. */
export type ManifestKey = { keyId: string; sign: (bytes: Buffer) => Buffer }

/** Stands beside the manifest: over its very bytes, in standard base64. */
export function signManifest(manifest: Buffer, { keyId, sign }: ManifestKey): string {
  const signature = sign(manifest).toString('base64')
  return `${JSON.stringify({ key_id: keyId, signature }, null, 2)}\n`
}

import { createHash, type KeyObject, sign } from 'node:crypto'

export type ManifestFile = { name: string; sha256: string; bytes: number; rows: number }

export type Manifest = {
  month: string
  stack: string
  made_at: string
  /** Whether the database takes no more entries in the month, of every tenant. */
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

/** Ed25519 over the bytes of the manifest, standard base64. */
export function signManifest(bytes: Buffer, privateKey: KeyObject): string {
  return sign(null, bytes, privateKey).toString('base64')
}

import { verifyAsync } from '@noble/ed25519'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { ReceiptKeys, SignedReceipt } from './receipt.ts'

export type OpenedReceipt = { ok: true; signed: SignedReceipt } | { ok: false; fault: string }

const HEX = /^[0-9a-f]*$/

/** Checks the bytes: their form, hash and signature. `keys` are those that the lender publishes. */
export async function openReceipt(
  file: Uint8Array | string,
  keys?: ReceiptKeys,
): Promise<OpenedReceipt> {
  const fault = (text: string): OpenedReceipt => ({ ok: false, fault: text })
  const text = typeof file === 'string' ? file : decode(file)
  const parsed = text === undefined ? undefined : parse(text)
  if (parsed === undefined) return fault('The file is not JSON in UTF-8.')
  if (canonicalForm(parsed) !== text) return fault('The file is not in the form of RFC 8785.')
  if (!isSigned(parsed)) return fault('The file is not a signed receipt.')
  const { receipt, sha256: hash, signature } = parsed
  const body = new TextEncoder().encode(canonicalForm(receipt))
  if (bytesToHex(sha256(body)) !== hash) return fault('The hash is not that of the receipt.')
  const { key_id: keyId, public_key: publicKey, value } = signature
  if (keyId !== keyIdOf(publicKey)) return fault('The key is not the one that is named.')
  const published = keys?.keys.find((one) => one.key_id === keyId)
  if (keys && published?.public_key !== publicKey) {
    return fault('The lender has not published the key of the signature.')
  }
  const strict = { zip215: false }
  const isSignature = await verifyAsync(
    hexToBytes(value),
    body,
    hexToBytes(publicKey),
    strict,
  ).catch(() => false)
  return isSignature ? { ok: true, signed: parsed } : fault('The signature is not that of the key.')
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function canonicalForm(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalForm).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const names = Object.keys(value).sort((a, b) => (a < b ? -1 : 1))
  const members = names.map((name) => {
    const member = Object.getOwnPropertyDescriptor(value, name)?.value
    return `${JSON.stringify(name)}:${canonicalForm(member)}`
  })
  return `{${members.join(',')}}`
}

function isSigned(value: unknown): value is SignedReceipt {
  const { receipt, sha256: hash, signature, ...rest } = value as Partial<SignedReceipt>
  if (receipt?.type !== 'sale-receipt/1' || Object.keys(rest).length > 0) return false
  const { algorithm, key_id: keyId, public_key: key, value: signed, ...others } = signature ?? {}
  const isHex = (text: string | undefined, bytes: number) =>
    typeof text === 'string' && text.length === 2 * bytes && HEX.test(text)
  return (
    algorithm === 'Ed25519' &&
    typeof keyId === 'string' &&
    Object.keys(others).length === 0 &&
    isHex(hash, 32) &&
    isHex(key, 32) &&
    isHex(signed, 64)
  )
}

function keyIdOf(publicKey: string): string {
  return `rck_${bytesToHex(sha256(hexToBytes(publicKey))).slice(0, 32)}`
}

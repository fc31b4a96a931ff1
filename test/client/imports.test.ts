import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = new URL('../../src/client/', import.meta.url)

const isInside = (file: string, specifier: string) =>
  specifier.startsWith('.') &&
  new URL(specifier, new URL(file, folder)).href.startsWith(folder.href)

test('the client imports nothing of the server and nothing of Node', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const outside = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const source = readFileSync(new URL(file, folder), 'utf8')
      const imports = [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)]
      return imports
        .filter(([, specifier = '']) => !isInside(file, specifier))
        .map(([, specifier]) => `${file}: ${specifier}`)
    })
  expect(outside.sort()).toEqual([
    'private-key.ts: @noble/ed25519',
    'receipts/open-receipt.ts: @noble/ed25519',
    'receipts/open-receipt.ts: @noble/hashes/sha2.js',
    'receipts/open-receipt.ts: @noble/hashes/utils.js',
    'verify-chain.ts: @noble/hashes/sha2.js',
    'verify-chain.ts: @noble/hashes/utils.js',
    'verify-webhook.ts: @noble/hashes/hmac.js',
    'verify-webhook.ts: @noble/hashes/sha2.js',
    'verify-webhook.ts: @noble/hashes/utils.js',
  ])
})

import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { keyId, privateKeyPem, startStubService } from './stub-service.ts'

const entry = fileURLToPath(new URL('../../src/client/index.ts', import.meta.url))

/** What browsers and workers have, and nothing of Node's. */
const { AbortController, AbortSignal, DOMException, Headers, Response, URL: WebUrl } = globalThis
const { URLSearchParams, TextDecoder, TextEncoder, atob, btoa, clearTimeout, setTimeout } =
  globalThis
const BROWSER = {
  AbortController,
  AbortSignal,
  DOMException,
  Headers,
  Response,
  URL: WebUrl,
  URLSearchParams,
  TextDecoder,
  TextEncoder,
  Uint8Array,
  atob,
  btoa,
  clearTimeout,
  setTimeout,
  crypto,
  fetch,
}

test('the client signs, retries and verifies in a browser, without Node’s modules', async () => {
  await using stub = await startStubService(['hang up', { status: 200, body: '{"id":"bor_1"}' }])
  const context = createContext({ ...BROWSER })
  runInContext(await bundleForBrowsers(), context)
  const options = { baseUrl: stub.baseUrl, keyId, privateKeyPem }
  Object.assign(context, { options })
  const answer = await runInContext(
    `client.createClient(options).createBorrower({ type: 'individual' })`,
    context,
  )
  expect(answer.id).toBe('bor_1')
  expect(stub.requests.map(({ signatureHolds }) => signatureHolds)).toEqual([true, true])
  const verdict = runInContext(
    `client.verifyWebhook({ rawBody: '{}', headers: {}, secret: 'whsec_x', now: new Date() })`,
    context,
  )
  expect(verdict.reason).toBe('missing_signature')
})

/** One script for browsers that sets `client`; fails where an import cannot be had there. */
async function bundleForBrowsers(): Promise<string> {
  const refuse = (warning: { message?: string }) => {
    throw new Error(warning.message)
  }
  await using bundle = await rolldown({ input: entry, platform: 'browser', onwarn: refuse })
  const { output } = await bundle.generate({ format: 'iife', name: 'client' })
  const [{ code, imports }] = output
  expect(imports).toEqual([])
  return code
}

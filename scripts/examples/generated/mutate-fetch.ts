// One signed mutation by the client that openapi-generator makes for typescript-fetch.
import { randomUUID } from 'node:crypto'
// @ts-expect-error: made by the generator beside this file when it runs
import { Configuration, OnboardingApi } from './client/index'
import { sandbox, signatureOf } from './sign.ts'

const api = new OnboardingApi(
  new Configuration({
    basePath: sandbox.base_url,
    middleware: [
      {
        async pre({ url, init }: { url: string; init: RequestInit }) {
          const headers = new Headers(init.headers)
          const key = headers.get('Idempotency-Key') ?? ''
          const signed = signatureOf(init.method ?? 'GET', url, key, String(init.body ?? ''))
          for (const [name, value] of Object.entries<string>(signed)) headers.set(name, value)
          return { url, init: { ...init, headers } }
        },
      },
    ],
  }),
)
const borrower = await api.createBorrower({
  idempotencyKey: randomUUID(),
  createBorrowerRequest: { type: 'individual', kycAttested: true, residencyCountry: 'DE' },
})
console.log(borrower.id)

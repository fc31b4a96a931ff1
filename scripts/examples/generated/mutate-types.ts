// One signed mutation typed by what openapi-typescript makes.
import { randomUUID } from 'node:crypto'
// @ts-expect-error: made by the generator beside this file when it runs
import type { operations } from './client/types'
import { sandbox, signatureOf } from './sign.ts'

type CreateBorrower = operations['createBorrower']
type NewBorrower = CreateBorrower['requestBody']['content']['application/json']
type Borrower = CreateBorrower['responses'][201]['content']['application/json']

const body: NewBorrower = { type: 'individual', kyc_attested: true, residency_country: 'DE' }
const key: CreateBorrower['parameters']['header']['Idempotency-Key'] = randomUUID()
const url = `${sandbox.base_url}/v1/borrowers`
const text = JSON.stringify(body)
const response = await fetch(url, {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    'Idempotency-Key': key,
    ...signatureOf('POST', url, key, text),
  },
  body: text,
})
if (response.status !== 201) throw new Error(await response.text())
const borrower = (await response.json()) as Borrower
console.log(borrower.id)

import { expect, test } from 'vitest'
import type { Deprecation } from '../../src/http/deprecations.ts'
import { markDeprecated } from '../../src/http/plugins/announce-deprecations.ts'
import { apiForFile } from '../support/api/api.ts'
import { resolveRefs } from '../support/api/resolve-refs.ts'

const PUBLIC_URL = 'https://api.example.com'
const row = (part: string, since = '2027-01-31', sunset = '2028-02-01'): Deprecation => ({
  ...{ part, since, sunset },
  page: `changes#${part.split('.')[0]}`,
})

const DEPRECATIONS = [
  row('listDocuments', '2027-01-01', '2028-03-01'),
  row('listFacilities.query.state'),
  row('createBorrower.request.kyc_attested'),
  row('FacilityTerms.rate'),
  row('FacilityTerms.tiers[].tier'),
  row('Facility.state=CLOSED'),
  row('listFacilities.query.state=CLOSED'),
  row('draw.completed'),
  row('draw.failed.data.code'),
  row('Problem.code=sandbox_only'),
  row('Problem.code=not_found', '2026-12-01'),
]
const api = apiForFile({ env: { PUBLIC_URL }, deprecations: DEPRECATIONS })

const SHOWN = ['deprecation', 'sunset', 'link']
async function readHeaders(path: string): Promise<unknown[]> {
  const { headers } = await api.tenant.send('GET', path)
  return SHOWN.map((name) => headers[name])
}
const linkTo = (anchor: string) =>
  `<${PUBLIC_URL}/docs/guides/changes#${anchor}>; rel="deprecation sunset"; type="text/html"`

test('an operation that will go says since when, until when, and where to read on', async () => {
  expect(await readHeaders('/v1/documents')).toEqual([
    `@${Date.UTC(2027, 0, 1) / 1_000}`,
    'Wed, 01 Mar 2028 00:00:00 GMT',
    linkTo('listDocuments'),
  ])
})

test('an operation with several such parts names the earliest dates, and the page of each', async () => {
  const [deprecation, sunset, link] = await readHeaders('/v1/facilities')
  expect([deprecation, sunset]).toEqual([
    `@${Date.UTC(2027, 0, 31) / 1_000}`,
    'Tue, 01 Feb 2028 00:00:00 GMT',
  ])
  const parts = ['listFacilities', 'FacilityTerms', 'Facility']
  expect(link).toBe(parts.map(linkTo).join(', '))
})

test('a list of events names the types that will go', async () => {
  const [, , link] = await readHeaders('/v1/events')
  expect(link).toBe(linkTo('draw'))
})

test('a refusal with a code that will go says so, and another refusal of the operation does not', async () => {
  const unknown = await readHeaders('/v1/borrowers/bor_00000000000000000000000000')
  expect(unknown).toEqual([
    `@${Date.UTC(2026, 11, 1) / 1_000}`,
    'Tue, 01 Feb 2028 00:00:00 GMT',
    linkTo('Problem'),
  ])
  expect(await readHeaders('/v1/borrowers?limit=none')).toEqual([undefined, undefined, undefined])
})

test('an operation of which nothing will go has none of these headers', async () => {
  expect(await readHeaders('/v1/whoami')).toEqual([undefined, undefined, undefined])
})

// biome-ignore lint/suspicious/noExplicitAny: its parts are of every shape.
const read = async (): Promise<any> => {
  const served = JSON.parse(await (await fetch(`${api.baseUrl}/openapi.json`)).text())
  return { served, ...resolveRefs(served, served) }
}

test('what will go is marked, and what is beside it is not', async () => {
  const { paths, webhooks, components } = await read()
  expect(paths['/v1/documents'].get.deprecated).toBe(true)
  expect(paths['/v1/whoami'].get.deprecated).toBeUndefined()
  const parameters: { name: string; deprecated?: boolean }[] =
    paths['/v1/facilities'].get.parameters
  expect(parameters.filter(({ deprecated }) => deprecated).map(({ name }) => name)).toEqual([
    'state',
  ])
  const body = paths['/v1/borrowers'].post.requestBody.content['application/json'].schema
  expect(body.properties.kyc_attested.deprecated).toBe(true)
  expect(body.properties.type.deprecated).toBeUndefined()
  expect(components.schemas.FacilityTerms.properties.rate.deprecated).toBe(true)
  const { tiers } = components.schemas.FacilityTerms.properties
  expect(tiers.items.properties.tier.deprecated).toBe(true)
  expect(webhooks['draw.completed'].post.deprecated).toBe(true)
  const failed = webhooks['draw.failed'].post
  expect(failed.deprecated).toBeUndefined()
  const data = failed.requestBody.content['application/json'].schema.allOf[1].properties.data
  expect(data.properties.code.deprecated).toBe(true)
})

test('everything that will go is listed, with the address of its page', async () => {
  const { served } = await read()
  expect(served['x-deprecations']).toEqual(
    DEPRECATIONS.map(({ page, ...rest }) => ({
      ...rest,
      page: `${PUBLIC_URL}/docs/guides/${page}`,
    })),
  )
})

test('a part that the document does not have cannot be deprecated', async () => {
  const { served } = await read()
  for (const part of ['listNothing', 'Facility.rat', 'Problem.code=no_such', 'draw.lost']) {
    const announced = { deprecations: [row(part)], publicUrl: PUBLIC_URL }
    expect(() => markDeprecated(served, announced), part).toThrow(`The document has no ${part}`)
  }
})

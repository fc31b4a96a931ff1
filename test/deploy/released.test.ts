import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Schema } from '../../scripts/released/compare-schemas.ts'
import { type Document, findBreaks, type Operation } from '../../scripts/released/find-breaks.ts'
import { readReleased, release } from '../../scripts/released/release.ts'
import { readText } from './read-text.ts'

const TODAY = '2026-11-28'
const text = readText('openapi.json')
const released: Document = JSON.parse(text)

/** What the gate finds after `change`. */
function breaksOf(change: (document: Document, schemas: Record<string, Schema>) => void): string[] {
  const current: Document = JSON.parse(text)
  change(current, schemasOf(current))
  return findBreaks(released, current, TODAY)
}

const schemasOf = (document: Document) =>
  (document.components as { schemas: Record<string, Schema> }).schemas
const propertiesOf = (schema: Schema | undefined) => schema?.properties ?? {}

function memberOf(schema: Schema | undefined, name: string): Schema {
  const member = propertiesOf(schema)[name]
  if (!member) throw new Error(`There is no member ${name}.`)
  return member
}

type Methods = { get?: Operation; post?: Operation }
const methodsOf = ({ paths }: Document, path: string) => paths[path] as Methods | undefined

function bodyOf(document: Document, path: string): Schema {
  const { content } = methodsOf(document, path)?.post?.requestBody ?? {}
  return content?.['application/json']?.schema ?? {}
}

describe('the gate of releases', () => {
  test('an unchanged document has no break, nor has one with more in it', () => {
    expect(breaksOf(() => {})).toEqual([])
    const added = breaksOf((document, { Facility, EventType, Problem }) => {
      Object.assign(document.paths, { '/v1/new': document.paths['/v1/whoami'] })
      Object.assign(document.webhooks, { 'draw.new': document.webhooks['draw.completed'] })
      Object.assign(propertiesOf(Facility), { new_member: { type: 'string' } })
      EventType?.enum?.push('draw.new')
      memberOf(Problem, 'code').enum?.push('new_code')
      Object.assign(propertiesOf(bodyOf(document, '/v1/borrowers')), { note: { type: 'string' } })
    })
    expect(added).toEqual([])
  })

  test.each<[string, Parameters<typeof breaksOf>[0], string[]]>([
    [
      'an operation',
      ({ paths }) => Reflect.deleteProperty(paths, '/v1/whoami'),
      ['whoami is gone'],
    ],
    [
      'a parameter',
      (document) => methodsOf(document, '/v1/events')?.get?.parameters?.pop(),
      [expect.stringMatching(/^listEvents\.query\.\w+ is gone$/)],
    ],
    [
      'a member of an answer',
      (_, { Facility }) => Reflect.deleteProperty(propertiesOf(Facility), 'state'),
      ['Facility.state is gone'],
    ],
    [
      'a type of event',
      ({ webhooks }, { EventType }) => {
        Reflect.deleteProperty(webhooks, 'draw.completed')
        if (EventType?.enum)
          EventType.enum = EventType.enum.filter((type) => type !== 'draw.completed')
      },
      ['EventType=draw.completed is gone', 'draw.completed is gone'],
    ],
    [
      'a member of an event',
      ({ webhooks }) => {
        const { schema } =
          webhooks['draw.completed']?.post.requestBody?.content['application/json'] ?? {}
        const data = memberOf(schema?.allOf?.[1], 'data')
        Reflect.deleteProperty(propertiesOf(data), 'reference')
      },
      ['draw.completed.data.reference is gone'],
    ],
    [
      'a code',
      (_, { Problem }) => memberOf(Problem, 'code').enum?.shift(),
      ['Problem.code=malformed_request is gone'],
    ],
    [
      'an asset that a pattern lists',
      (document) => {
        const delivered = memberOf(bodyOf(document, EXECUTION).oneOf?.[0], 'delivered')
        memberOf(delivered, 'asset').pattern = '^(USD)$'
      },
      ['reportExecution.request.delivered.asset=USDC is gone'],
    ],
  ])('%s may not go', (_, change, sentences) => {
    expect(breaksOf(change)).toEqual(sentences)
  })

  test.each<[string, Parameters<typeof breaksOf>[0], string]>([
    [
      'require a member',
      (document) => bodyOf(document, '/v1/borrowers').required?.push('external_id'),
      'createBorrower.request.external_id is required now',
    ],
    [
      'take shorter texts',
      (document) =>
        Object.assign(memberOf(bodyOf(document, '/v1/borrowers'), 'external_id'), {
          maxLength: 9,
        }),
      'createBorrower.request.external_id has maxLength 9 now',
    ],
    [
      'be of another type',
      (document) =>
        Object.assign(memberOf(bodyOf(document, '/v1/borrowers'), 'kyc_attested'), {
          type: 'string',
        }),
      'createBorrower.request.kyc_attested is string now, it was boolean',
    ],
    [
      'refuse what its example holds',
      (document) =>
        Object.assign(memberOf(bodyOf(document, '/v1/borrowers'), 'external_id'), {
          pattern: '^[a-z]*$',
        }),
      'createBorrower.request.external_id takes "customer-4711" no longer',
    ],
  ])('a request may not %s', (_, change, sentence) => {
    expect(breaksOf(change)).toEqual([sentence])
  })

  test('an answer may not leave out what was always in it, nor be null', () => {
    const optional = breaksOf((_, { Facility }) => Facility?.required?.shift())
    expect(optional).toEqual([expect.stringMatching(/^Facility\.\w+ may be left out now$/)])
    const nullable = breaksOf((_, { Facility }) => {
      const nullable = { anyOf: [memberOf(Facility, 'state'), { type: 'null' }] }
      Object.assign(propertiesOf(Facility), { state: nullable })
    })
    expect(nullable).toEqual(['Facility.state is null now, it was string'])
  })

  test('what the last release listed as deprecated goes on its sunset, and not a day before', () => {
    const row = { part: 'Facility.state', since: '2026-01-01', sunset: '2027-01-01' }
    const last = { ...released, 'x-deprecations': [row] }
    const current: Document = JSON.parse(text)
    const { Facility } = schemasOf(current)
    Reflect.deleteProperty(propertiesOf(Facility), 'state')
    expect(findBreaks(last, current, '2026-12-31')).toEqual(['Facility.state is gone'])
    expect(findBreaks(last, current, '2027-01-01')).toEqual([])
    // A row that no release had promises nothing.
    expect(
      findBreaks(released, { ...current, 'x-deprecations': [row] }, '2027-01-01'),
    ).toHaveLength(1)
  })

  test('a sunset comes twelve months after the first release that lists it', () => {
    const row = { part: 'Facility.state', since: '2026-11-28', sunset: '2027-11-27' }
    const hurried = findBreaks(released, { ...released, 'x-deprecations': [row] }, TODAY)
    expect(hurried).toEqual(['Facility.state cannot go before 2027-11-28: since 2026-11-28'])
    const moved = { ...row, since: '2025-11-27' }
    const last = { ...released, 'x-deprecations': [row] }
    expect(findBreaks(last, { ...released, 'x-deprecations': [moved] }, TODAY)).toEqual(hurried)
  })
})

const EXECUTION = '/v1/facilities/{facility_id}/repayments/{repayment_id}/execution'
const CARRIERS = [
  'package.json',
  'package-lock.json',
  'clients/python/pyproject.toml',
  'clients/go/README.md',
  'docs/client.md',
  'docs/inbox-go.md',
]

describe('npm run release', () => {
  let root: string
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: root,
      encoding: 'utf8',
    })
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const cut = (version: string) => release(root, version, new Date(`${TODAY}T12:00:00Z`))
  const write = (path: string, content: string) => {
    writeFileSync(join(root, path), content)
    git('add', '--all')
    git('commit', '--quiet', '--message', path)
  }
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'lending-release-'))
    git('init', '--quiet')
    for (const path of [...CARRIERS, 'openapi.json']) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      cpSync(join(import.meta.dirname, '../..', path), join(root, path))
    }
    write('CHANGELOG.md', '# Changes\n\n## Unreleased\n\n- Draws are faster\n')
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  const { version: first } = JSON.parse(readText('package.json'))

  test('a release is refused in a changed work tree, by another version, and without changes to tell', () => {
    writeFileSync(join(root, 'note'), '')
    expect(() => cut(first)).toThrow('The work tree has changes')
    rmSync(join(root, 'note'))
    expect(() => cut('9.9.9')).toThrow(`"9.9.9" does not follow ${first}`)
    expect(() => cut('latest')).toThrow('does not follow')
    const changelog = read('CHANGELOG.md')
    write('CHANGELOG.md', '# Changes\n\n## Unreleased\n\n## 0.9.0, 2026-01-01\n\n- Old\n')
    expect(() => cut(first)).toThrow('CHANGELOG.md has no changes')
    write('CHANGELOG.md', changelog)
    expect(git('status', '--porcelain')).toBe('')
    expect(readReleased(root)).toBeUndefined()
  })

  test('a release heads the changes and keeps the document, and the next one carries its version everywhere', () => {
    cut(first)
    expect(read('CHANGELOG.md')).toBe(
      `# Changes\n\n## Unreleased\n\n## ${first}, ${TODAY}\n\n- Draws are faster\n`,
    )
    expect(read('released/openapi.json')).toBe(text)
    git('add', '--all')
    write(
      'CHANGELOG.md',
      read('CHANGELOG.md').replace('## Unreleased\n', '## Unreleased\n\n- More\n'),
    )
    expect(() => cut(first)).toThrow('does not follow')
    const [major = 0, minor = 0] = first.split('.').map(Number)
    const next = `${major}.${minor + 1}.0`
    cut(next)
    expect(CARRIERS.filter((path) => !read(path).includes(next))).toEqual([])
    expect(JSON.parse(read('package-lock.json')).packages[''].version).toBe(next)
    expect(readReleased(root)).toMatchObject({ info: { version: next } })
    expect(read('openapi.json')).toBe(text.replace(`"version": "${first}"`, `"version": "${next}"`))
    expect(git('diff', '--stat', '--', ...CARRIERS)).toContain(
      '6 files changed, 7 insertions(+), 7 deletions(-)',
    )
  })

  test('a release is refused that lacks what the last one had, or whose deprecation is back-dated', () => {
    git('add', '--all')
    write(
      'CHANGELOG.md',
      read('CHANGELOG.md').replace('## Unreleased\n', '## Unreleased\n\n- Less\n'),
    )
    const document = JSON.parse(read('openapi.json'))
    const row = { part: 'whoami', since: '2025-01-01', sunset: '2027-01-01' }
    write('openapi.json', JSON.stringify({ ...document, 'x-deprecations': [row] }))
    const next = `${Number(first.split('.')[0]) + 1}.0.0`
    expect(() => cut(next)).toThrow(
      'whoami is deprecated for the first time: since 2026-11-28 or later',
    )
    Reflect.deleteProperty(document.paths, '/v1/whoami')
    write('openapi.json', JSON.stringify(document))
    expect(() => cut(next)).toThrow('whoami is gone')
  })
})

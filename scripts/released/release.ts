import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { printJson } from '../openapi/print-json.ts'
import { type Document, findBreaks } from './find-breaks.ts'

const RELEASED = 'released/openapi.json'

/** Files that name the version, beside the name of what has it. */
const CARRIERS = [
  'package.json',
  'package-lock.json',
  'clients/python/pyproject.toml',
  'clients/go/README.md',
  'docs/client.md',
  'docs/inbox-go.md',
]

const versionOf = (version: string) =>
  new RegExp(
    `(lending-service(?:"?,?\\s+"?version"?(?: =|:) "|-)|client@v)${version.replaceAll('.', '\\.')}`,
    'g',
  )

/** The document of the last release; `undefined` before the first. */
export function readReleased(root: string): Document | undefined {
  const path = join(root, RELEASED)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

/** Writes the files of a release under `root`, a git work tree. Throws before it writes if anything is wrong. */
export function release(root: string, version: string, now: Date): void {
  const today = now.toISOString().slice(0, 10)
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  if (execFileSync('git', ['status', '--porcelain'], { cwd: root }).length > 0) {
    throw new Error('The work tree has changes: commit them first.')
  }
  const before: string = JSON.parse(read('package.json')).version
  const released = readReleased(root)
  const allowed = released === undefined ? [before] : listNext(before)
  if (!allowed.includes(version)) {
    throw new Error(`"${version}" does not follow ${before}. Give ${allowed.join(' or ')}.`)
  }
  const changelog = headChanges(read('CHANGELOG.md'), version, today)
  const current = JSON.parse(read('openapi.json'))
  const hurried = findNew(current, released).filter(({ since }) => since < today)
  const faults = [
    ...(released ? findBreaks(released, current, today) : []),
    ...hurried.map(
      ({ part }) => `${part} is deprecated for the first time: since ${today} or later`,
    ),
  ]
  if (faults.length > 0) throw new Error(faults.join('\n'))

  const document = printJson({ ...current, info: { ...current.info, version } })
  for (const path of CARRIERS) {
    writeFileSync(join(root, path), read(path).replaceAll(versionOf(before), `$1${version}`))
  }
  writeFileSync(join(root, 'CHANGELOG.md'), changelog)
  writeFileSync(join(root, 'openapi.json'), document)
  mkdirSync(join(root, 'released'), { recursive: true })
  writeFileSync(join(root, RELEASED), document)
}

function listNext(before: string): string[] {
  const [major = 0, minor = 0, patch = 0] = before.split('.').map(Number)
  return [`${major}.${minor}.${patch + 1}`, `${major}.${minor + 1}.0`, `${major + 1}.0.0`]
}

function headChanges(changelog: string, version: string, today: string): string {
  const [, head = '', changes = ''] =
    /^(.*?\n## Unreleased\n)(.*?)(?=\n## |$)/s.exec(changelog) ?? []
  if (changes.trim() === '') throw new Error('CHANGELOG.md has no changes under "## Unreleased".')
  return `${head}\n## ${version}, ${today}\n${changelog.slice(head.length)}`
}

function findNew(current: Document, released: Document | undefined) {
  const known = new Set(released?.['x-deprecations']?.map(({ part }) => part))
  return (current['x-deprecations'] ?? []).filter(({ part }) => !known.has(part))
}

// Part of npm run check: fails where openapi.json lacks what the last release promised in released/openapi.json.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findBreaks } from './released/find-breaks.ts'
import { readReleased } from './released/release.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const released = readReleased(root)
if (released === undefined) {
  console.log('Nothing has been released yet: any change of the interface is allowed.')
} else {
  const current = JSON.parse(readFileSync(`${root}/openapi.json`, 'utf8'))
  const breaks = findBreaks(released, current, new Date().toISOString().slice(0, 10))
  for (const sentence of breaks) console.error(`openapi.json: ${sentence}.`)
  if (breaks.length > 0) {
    console.error(
      'What was released stays for twelve months after it is deprecated: see docs/changes.md.',
    )
  }
  process.exitCode = breaks.length > 0 ? 1 : 0
}

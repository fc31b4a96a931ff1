import { readFileSync } from 'node:fs'
import manifest from '../../package.json' with { type: 'json' }

/** Written when the image is built; a checkout has none. */
const FILE = new URL('../../BUILD', import.meta.url)

/** The version, and in an image the commit and its date: `1.0.0+3f2a1bc4.2026-11-28`. */
export function readBuild(file = FILE): string {
  const given = readGiven(file)
  return given === '' ? manifest.version : `${manifest.version}+${given}`
}

function readGiven(file: URL): string {
  try {
    return readFileSync(file, 'utf8')
      .trim()
      .replace(/[^\w.-]+/g, '.')
      .slice(0, 64)
  } catch {
    return ''
  }
}

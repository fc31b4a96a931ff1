import { installPython, MISSING } from './languages.ts'

/** Installs the Python client once, before the files that need it run beside each other. */
export function setup(): void {
  for (const [language, missing] of Object.entries(MISSING)) {
    if (missing !== undefined)
      console.log(`The ${language} client is not tested: ${missing} is missing.`)
  }
  if (MISSING.python === undefined) installPython()
}

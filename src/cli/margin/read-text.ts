import { readFileSync } from 'node:fs'
import { Refusal } from '../../core/errors.ts'
import { parseMarginTerms } from '../../domain/margin/margin-terms.ts'
import type { MarginPolicy, MarginTerms } from '../../domain/margin/policy.ts'
import { messageOf } from '../../local/local-failure.ts'

/** Refuses `validation_failed`, naming what the file is. */
export function readText(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Refusal('validation_failed', `The ${what} cannot be read: ${messageOf(error)}.`)
  }
}

export function readPolicyFile(file: string, base: MarginPolicy): MarginTerms {
  return parseMarginTerms(readText(file, 'policy'), base)
}

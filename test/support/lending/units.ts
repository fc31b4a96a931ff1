import { parseDecimal } from '../../../src/core/money.ts'

/** A decimal as whole units of its last digit. */
export function units(text: string, digits: number): bigint {
  const parsed = parseDecimal(text, digits)
  if (parsed === undefined) throw new Error(`"${text}" is no decimal`)
  return parsed
}

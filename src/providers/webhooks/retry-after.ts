/** The three forms of a date in HTTP, the last without a zone; all mean UTC (RFC 9110, 5.6.7). */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
]

const MAX_SECONDS = 1_000_000_000

/** Milliseconds from `now` on, at most a thousand million seconds, negative for a date that is past.
 * Undefined for any other text. */
export function parseRetryAfter(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined
  if (/^\d+$/.test(value)) return Math.min(Number(value), MAX_SECONDS) * 1_000
  if (!HTTP_DATES.some((form) => form.test(value))) return undefined
  const at = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`)
  return Number.isNaN(at) ? undefined : at - now.getTime()
}

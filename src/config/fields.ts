// How a variable is read. Each message continues a sentence that begins with the variable's name.
import { z } from 'zod'
import { parseLimits } from '../core/limits/limit-classes.ts'

export function choice<const Words extends readonly [string, string, ...string[]]>(
  ...words: Words
) {
  const quoted = words.map((word) => `"${word}"`)
  const error = `must be ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
  return z.enum(words, { error })
}

export const integer = (fallback: number, min: number, max: number) =>
  wholeNumber(min, max).default(fallback)

export function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,15}$/, error)
    .transform(Number)
    .pipe(z.number().min(min, error).max(max, error))
}

/** As OpenTelemetry has them: values are percent-encoded. */
export const headers = z
  .string()
  .default('')
  .transform((text, context) => {
    try {
      const entries = listItems(text).map((item) => {
        const [, name = '', value = ''] = /^([\w-]+)=(.*)$/.exec(item) ?? []
        if (name === '') throw new URIError(item)
        return [name, decodeURIComponent(value)]
      })
      return Object.fromEntries(entries) as Record<string, string>
    } catch {
      context.addIssue('needs headers such as name=value,other=value, percent-encoded')
      return z.NEVER
    }
  })

/** Without a slash at its end. */
export const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http(s):// address' })
  .transform((url) => url.replace(/\/+$/, ''))

export const proxyAddress = z.url({
  protocol: /^https?$/,
  error: 'must be the address of an HTTP proxy, such as http://proxy.example:3128',
})

export const mailServer = z.url({
  protocol: /^smtps?$/,
  error: 'must be an smtp:// or smtps:// address',
})

export const mailAddress = z.email({ error: 'must be an e-mail address' })

export const listItems = (text: string) => text.split(',').flatMap((item) => item.trim() || [])

export const list = z.string().default('').transform(listItems)

/** The current key first. */
export const encryptionKeys = z
  .string({
    error: 'is required: <id>:<base64 of 32 random bytes>, comma separated, current first',
  })
  .transform((text, context) =>
    text.split(',').map((item) => {
      const [id = '', secret = ''] = item.trim().split(':')
      const bytes = Buffer.from(secret, 'base64')
      if (!/^[A-Za-z0-9_-]{1,32}$/.test(id) || bytes.length !== 32) {
        context.addIssue('needs entries of the form <id>:<base64 of 32 random bytes>')
      }
      return { id, bytes }
    }),
  )
  .refine(
    (keys) => new Set(keys.map((key) => key.id)).size === keys.length,
    'must use each key id once',
  )

/** All classes, with the limits that the variable overrides. */
export const limits = z
  .string()
  .default('')
  .transform((text, context) => {
    const parsed = parseLimits(text)
    if (typeof parsed !== 'string') return parsed
    context.addIssue(parsed)
    return z.NEVER
  })

const isAddress = (text: string) => z.union([z.ipv4(), z.ipv6()]).safeParse(text).success

export const ipAddress = z
  .string()
  .refine(isAddress, 'must be an address of this machine, such as 192.0.2.7')

const isRange = (text: string) => z.union([z.cidrv4(), z.cidrv6()]).safeParse(text).success

export const sources = list.refine(
  (items) => items.every((item) => isAddress(item) || isRange(item)),
  'needs addresses or ranges such as 192.0.2.7,198.51.100.0/28',
)

export const cidrs = list.refine(
  (items) => items.every(isRange),
  'needs address ranges such as 10.0.0.0/8,fd00::/8',
)

export const ports = list
  .refine(
    (items) => items.every((item) => /^[1-9]\d{0,4}$/.test(item) && Number(item) <= 65_535),
    'needs ports such as 6432,8404',
  )
  .transform((items) => items.map(Number))

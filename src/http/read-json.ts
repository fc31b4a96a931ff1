import type { FastifyInstance } from 'fastify'
import { Refusal } from '../core/errors.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses JSON that can be read in one way only. Refuses `invalid_json` for broken syntax, invalid
 * UTF-8, a byte order mark, a repeated member, an inexact number (1e-400) and deep nesting.
 */
export function readJson(bytes: Buffer, maxDepth: number): unknown {
  const text = decode(bytes)
  if (text.startsWith('\uFEFF')) throw invalid('The body begins with a byte order mark.')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw invalid(describeBreak(String(error), text.length))
  }
  checkStructure(text, maxDepth)
  return value
}

function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw invalid('The body is not valid UTF-8.')
  }
}

/** The engine's message quotes the body: only its position is shown. */
function describeBreak(message: string, length: number): string {
  const position = / JSON at position (\d+) \(line \d+ column \d+\)$/.exec(message)?.[1]
  if (position === String(length) || message.endsWith('Unexpected end of JSON input')) {
    return 'The body ends before the JSON is complete.'
  }
  return position ? `Syntax error at character ${position}.` : 'Syntax error.'
}

/** `text` is valid JSON. */
function checkStructure(text: string, maxDepth: number): void {
  // One entry per open bracket: the names seen in an object, undefined for an array.
  const open: (Set<string> | undefined)[] = []
  let nameExpected = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at)
    switch (char) {
      case '{':
      case '[':
        open.push(char === '{' ? new Set() : undefined)
        if (open.length > maxDepth)
          throw invalid(`The body is nested deeper than ${maxDepth} levels.`)
        nameExpected = char === '{'
        break
      case '}':
      case ']':
        open.pop()
        nameExpected = false
        break
      case ',':
        nameExpected = open.at(-1) !== undefined
        break
      case '"': {
        const end = endOfString(text, at)
        if (nameExpected) noteName(open.at(-1), text.slice(at, end + 1))
        nameExpected = false
        at = end
        break
      }
      default:
        if (beginsNumber(char)) at = endOfNumber(text, at)
    }
  }
}

const beginsNumber = (char: string) => char === '-' || (char >= '0' && char <= '9')

const NUMBER = /-?[0-9.]+(?:[eE][+-]?[0-9]+)?/y

/** Longer than any exact number, zeros aside. */
const MAX_NUMBER_LENGTH = 32

function endOfNumber(text: string, start: number): number {
  NUMBER.lastIndex = start
  const number = NUMBER.exec(text)?.[0] ?? ''
  if (number.length > MAX_NUMBER_LENGTH || !isExact(number)) {
    throw invalid(`The number at character ${start} cannot be represented exactly.`)
  }
  return start + number.length - 1
}

function isExact(number: string): boolean {
  return toScientific(number) === toScientific(String(Number(number)))
}

/** One spelling for each value: significant digits, and the power of ten of the last one. */
function toScientific(number: string): string {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  const sign = mantissa.startsWith('-') ? '-' : ''
  const power = Number(exponent) - fraction.length + (digits.length - significant.length)
  return `${sign}${significant}e${power}`
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

function noteName(names: Set<string> | undefined, quoted: string): void {
  // "\u0061" and "a" are the same name.
  const name = quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1)
  if (names?.has(name)) throw invalid('A member name is repeated in one object.')
  names?.add(name)
}

function invalid(detail: string): Refusal {
  return new Refusal('invalid_json', detail)
}

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

export function isJson(contentType: string | undefined): boolean {
  return JSON_TYPE.test(contentType ?? '')
}

/** Parses the bytes of a body as JSON, whatever their media type. */
export function parseBodies(app: FastifyInstance, maxDepth: number): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', ({ rawBody }, _payload, done) => {
    try {
      done(null, rawBody.length === 0 ? undefined : readJson(rawBody, maxDepth))
    } catch (error) {
      done(error as Error)
    }
  })
}

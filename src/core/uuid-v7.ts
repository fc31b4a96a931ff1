export const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz'

/** The first 48 bits are the time: ten characters less two bits. */
export const TIME_CHARACTERS = 10

/** A clock that was set back further is followed. */
const MAX_BACK_MS = 10_000

/** Of ten bits. */
const PAIRS = Array.from({ length: 1_024 }, (_, bits) => `${BASE32[bits >> 5]}${BASE32[bits & 31]}`)
const pair = (bits: number) => PAIRS[bits & 1_023]

const random = new Uint32Array(1_024)
let randomUsed = random.length

function random32(): number {
  if (randomUsed === random.length) {
    crypto.getRandomValues(random)
    randomUsed = 0
  }
  const word = random[randomUsed] ?? 0
  randomUsed += 1
  return word
}

let millis = 0
let time = ''
/** Of the millisecond, in 31 bits: it begins in the lower half, so it does not overflow. */
let counter = 0

/** In base32, 26 characters. Those of a process are in the order in which they were made. */
export function newUuidV7(): string {
  const now = Date.now()
  if (now > millis || now < millis - MAX_BACK_MS) {
    millis = now
    time = encodeTime(now)
    counter = random32() >>> 2
  } else {
    counter += 1
  }
  const one = random32()
  const other = random32()
  const version = pair(0b0111_000000 | (counter >>> 25))
  const variant = pair((((counter >>> 19) & 63) << 4) | 0b10_00 | ((counter >>> 17) & 3))
  const count = `${pair(counter >>> 7)}${pair(((counter & 127) << 3) | (one >>> 29))}`
  const noise = `${pair(one >>> 10)}${pair(one)}${pair(other >>> 10)}${pair(other)}`
  return `${time}${version}${variant}${count}${noise}`
}

/** From 1970 on. */
export function encodeTime(instantMs: number): string {
  let left = Math.max(0, instantMs)
  let digits = ''
  for (let n = 0; n < TIME_CHARACTERS; n += 1) {
    digits = `${BASE32[left % 32]}${digits}`
    left = Math.floor(left / 32)
  }
  return digits
}

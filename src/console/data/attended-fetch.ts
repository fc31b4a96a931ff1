const ATTENDED_MS = 60_000
const HEADER = 'X-SVC-Unattended'
const ACTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'focus'] as const

let actedAt = Date.now()

/** Notes when the person at the page last did something. */
export function watchPerson(): void {
  const note = ({ isTrusted }: Event) => {
    if (isTrusted) actedAt = Date.now()
  }
  for (const act of ACTS) window.addEventListener(act, note, { capture: true, passive: true })
}

/** A page reads by itself for as long as it is open. What it sends while no person has been at it
 * for a minute is marked, so that it does not keep the session open. */
export const attendedFetch: typeof fetch = (input, init) => {
  if (Date.now() - actedAt < ATTENDED_MS) return fetch(input, init)
  const headers = new Headers(init?.headers)
  headers.set(HEADER, '1')
  return fetch(input, { ...init, headers })
}

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

/** What outlives a session wants the passkey again: asks for it when the service does, and repeats the
 * request. `api`: the path of the confirmation. Without a passkey the service's refusal is the answer. */
export function createConfirmedFetch(api: string): typeof fetch {
  return async (input, init) => {
    const answer = await attendedFetch(input, init)
    if (!(await asksForPasskey(answer))) return answer
    return (await confirm(api).catch(() => false)) ? await attendedFetch(input, init) : answer
  }
}

async function asksForPasskey(answer: Response): Promise<boolean> {
  if (answer.status !== 403) return false
  const problem: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined)
  return (problem as { code?: unknown } | undefined)?.code === 'passkey_required'
}

async function confirm(api: string): Promise<boolean> {
  const asked = await attendedFetch(`${api}/session/confirmation/options`, { method: 'POST' })
  if (!asked.ok) return false
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const response = await startAuthentication({ optionsJSON: await asked.json() })
  const confirmed = await attendedFetch(`${api}/session/confirmation`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ response }),
  })
  return confirmed.ok
}

export type SignInLink = {
  token: string | undefined
  /** Why the identity provider's answer was refused. */
  failure: string | undefined
}

/** Takes the token out of the address, so that it stays in no history. */
export function readSignInLink(): SignInLink | undefined {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const token = fragment.get('token') ?? undefined
  const failure = fragment.get('error') ?? undefined
  if (token === undefined && failure === undefined) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  return { token, failure }
}

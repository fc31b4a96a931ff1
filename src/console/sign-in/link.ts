export type SignInLink = {
  token: string | undefined
  /** Confirms the address that it was mailed to; signs no one in. */
  confirmation: string | undefined
  /** Why the identity provider's answer was refused. */
  failure: string | undefined
}

/** Takes the token out of the address, so that it stays in no history. */
export function readSignInLink(): SignInLink | undefined {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const token = fragment.get('token') ?? undefined
  const failure = fragment.get('error') ?? undefined
  const confirmation = fragment.get('confirm') ?? undefined
  if ((token ?? failure ?? confirmation) === undefined) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  return { token, failure, confirmation }
}

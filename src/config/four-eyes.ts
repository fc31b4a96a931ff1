/** Whether some acts of operators need a second one: by default on a live stack. */
export function isFourEyes(env: {
  STACK?: 'live' | 'sandbox' | undefined
  FOUR_EYES?: 'on' | 'off' | undefined
}): boolean {
  return env.FOUR_EYES === undefined ? env.STACK === 'live' : env.FOUR_EYES === 'on'
}

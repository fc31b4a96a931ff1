/** Work left for a job by a transaction; a hint sent after its commit, or shortly before it. */
export type Wake =
  | { kind: 'work'; topic: string }
  /** `early`: an event of which the commit may still be under way. */
  | { kind: 'deliveries'; tenantId: string; webhookId: string; early?: string }

/** A commit within this time of an early wake is followed by no other wake. */
export const EARLY_COMMIT_MS = 2

/** Who receives an early wake looks once more after this time, which is longer: no event is missed, so
 * long as both clocks run at about the same speed. */
export const EARLY_WAKE_HOLDS_MS = 5

/** To be sent after a commit. `neededFrom`, by `performance.now()`: not after an earlier one. */
export type LateWake = { wake: Wake; neededFrom?: number }

export function wakesNeeded(late: readonly LateWake[], now: number): Wake[] {
  return late.flatMap(({ wake, neededFrom = -Infinity }) => (now > neededFrom ? wake : []))
}

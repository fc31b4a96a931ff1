import type { FinishedAttempt } from '../../domain/webhooks/deliveries/deliver.ts'
import { type LockedStep, takeUnleased } from './delivery-step.ts'

/** An endpoint is prompt if its last attempt succeeded within this. A pass waits no longer than this either. */
const PROMPT_MS = 10

/** For fewer a pass does not wait: a new event of these webhooks waits until it ends. */
const ENOUGH_ANSWERS = 4

const MOST_ENDPOINTS = 10_000

export type PromptEndpoints = {
  note(attempt: FinishedAttempt): void
  /** Waits if enough answers are expected, then moves what has ended to `step.unleased`. `onWait` is called
   * before it waits. */
  waitAndTake(steps: readonly LockedStep[], onWait: () => void): Promise<void>
}

/** For the answers of these a pass waits, so that it records what it has begun, and writes no lease. */
export function createPromptEndpoints(): PromptEndpoints {
  const prompt = new Set<string>()
  return {
    note({ delivery: { webhookId }, outcome }) {
      if (!outcome.succeeded || outcome.durationMs > PROMPT_MS) {
        prompt.delete(webhookId)
        return
      }
      // They are noted again with their next answers.
      if (prompt.size >= MOST_ENDPOINTS && !prompt.has(webhookId)) prompt.clear()
      prompt.add(webhookId)
    },

    async waitAndTake(steps, onWait) {
      const answers = steps.flatMap(({ lane, begun }) =>
        prompt.has(lane.webhookId) ? [...begun.values()] : [],
      )
      if (answers.length < ENOUGH_ANSWERS) return
      onWait()
      const patience = Promise.withResolvers<void>()
      const timer = setTimeout(patience.resolve, PROMPT_MS)
      await Promise.race([Promise.all(answers), patience.promise])
      clearTimeout(timer)
      for (const step of steps) takeUnleased(step)
    },
  }
}

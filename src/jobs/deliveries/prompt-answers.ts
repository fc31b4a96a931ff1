import type { FinishedAttempt } from '../../domain/webhooks/deliveries/deliver.ts'
import { type LockedStep, takeEnded } from './delivery-step.ts'

/** An endpoint is prompt that answered within it when it was last asked. A pass waits no longer either. */
const PROMPT_MS = 10

/** For fewer answers a pass does not wait: an event that comes meanwhile would wait with it. */
const ENOUGH_ANSWERS = 4

const MOST_ENDPOINTS = 10_000

export type PromptAnswers = {
  note(attempt: FinishedAttempt): void
  /** Takes what ends meanwhile. `onWait` is called before it waits. */
  wait(steps: readonly LockedStep[], onWait: () => void): Promise<void>
}

/** Answers for which a pass waits, so that it records what it has begun, and no lease is written. */
export function createPromptAnswers(): PromptAnswers {
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

    async wait(steps, onWait) {
      const answers = steps.flatMap(({ lane, begun }) =>
        prompt.has(lane.webhookId) ? [...begun.values()] : [],
      )
      if (answers.length < ENOUGH_ANSWERS) return
      onWait()
      const patience = Promise.withResolvers<void>()
      const timer = setTimeout(patience.resolve, PROMPT_MS)
      await Promise.race([Promise.all(answers), patience.promise])
      clearTimeout(timer)
      for (const step of steps) takeEnded(step)
    },
  }
}

// What a parent and a child say to each other over the channel that Node opens between them.

type Message = { question: number; about: string } | { answer: number; content: unknown }

/** One end of it. */
export type ChannelEnd = {
  send(message: Message): void
  onMessage(listener: (message: unknown) => void): void
}

export type Answers = Record<string, () => unknown>

export type Channel = {
  /** Undefined where no answer comes in time. */
  ask(about: string, withinMs: number): Promise<unknown>
}

/** Asks the other end, and answers what it asks. */
export function openChannel(end: ChannelEnd, answers: Answers): Channel {
  const waiting = new Map<number, (content: unknown) => void>()
  let asked = 0
  const answer = async (question: number, about: string) => {
    const content = await answers[about]?.()
    end.send({ answer: question, content })
  }
  end.onMessage((message) => {
    if (!isMessage(message)) return
    if ('question' in message) {
      // The other end waits no longer than it wants to.
      answer(message.question, message.about).catch(() => undefined)
    } else waiting.get(message.answer)?.(message.content)
  })
  return {
    async ask(about, withinMs) {
      asked += 1
      const question = asked
      const { promise, resolve } = Promise.withResolvers<unknown>()
      const timer = setTimeout(resolve, withinMs)
      waiting.set(question, resolve)
      end.send({ question, about })
      return await promise.finally(() => {
        clearTimeout(timer)
        waiting.delete(question)
      })
    },
  }
}

const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && ('question' in message || 'answer' in message)

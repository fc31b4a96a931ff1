/** The other side of `startCompanion`: answers each message; the process ends with its parent. */
export function answerQuestions<Question, Answer>(
  answer: (question: Question) => Promise<Answer>,
): void {
  const send = async (question: Question) => process.send?.(await answer(question))
  // One that cannot be answered ends this process, which the parent reports.
  process.on('message', (question) => void send(question as Question))
  process.on('disconnect', () => process.exit())
}

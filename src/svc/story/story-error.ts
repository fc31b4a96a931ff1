/** What a story can say in one line when it does not go on; anything else thrown is a bug. */
export class StoryError extends Error {
  override readonly name = 'StoryError'
}

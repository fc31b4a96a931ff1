/** Ends a story with one line; any other error is a bug. */
export class StoryError extends Error {
  override readonly name = 'StoryError'
}

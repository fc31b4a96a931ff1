/** What the demo can say in one line; anything else that is thrown is a bug with a stack. */
export class DemoError extends Error {}

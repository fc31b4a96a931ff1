import { styleText } from 'node:util'

/** One step of the story: what it is about, then one line or several. */
export function showStep(topic: string, ...lines: string[]): void {
  for (const [at, line] of lines.entries()) {
    console.log(`${styleText('cyan', (at === 0 ? topic : '').padEnd(12))}${line}`)
  }
}

/** styleText leaves the codes out where standard output is no terminal, and for NO_COLOR. */
export const bold = (text: string) => styleText('bold', text)
export const dim = (text: string) => styleText('dim', text)
export const good = (text: string) => styleText('green', text)

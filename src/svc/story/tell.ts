import type { Client } from '../../client/client.ts'
import { topic as colour } from '../terminal.ts'
import type { Inbox } from './inbox.ts'

/** Tells one step of a story: what it is about, then one line or several. */
export type Tell = (topic: string, ...lines: string[]) => void

/** What every story is played with. */
export type Stage = { client: Client; inbox: Inbox; tell: Tell }

/** One step for a person to read. */
export function formatStep(topic: string, lines: readonly string[]): string {
  return lines.map((line, at) => `${colour((at === 0 ? topic : '').padEnd(12))}${line}\n`).join('')
}
